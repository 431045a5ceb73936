import { pointerOf, tokensOf } from "./types.js";

/** Where and why a text stops being JSON. */
export interface SyntaxFault {
  readonly offset: number;
  readonly message: string;
}

/** An object or array that is being read, and what the reader remembers of it. */
interface Frame<State> {
  readonly isArray: boolean;
  readonly state: State;
  index: number;
}

/** What a reader remembers of a value, from what it remembers of the owner. */
type Visit<State> = (
  owner: State,
  token: string,
  offset: number,
  isMember: boolean,
) => State;

/** Pointers that are looked for, token by token. */
interface Wanted {
  readonly children: Map<string, Wanted>;
  offset?: number;
}

/** An object or array on the way to a value, with the keys seen in it. */
interface Owner {
  readonly keys: Set<string>;
  readonly token: string;
  readonly owner: Owner | undefined;
}

const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * A JSON tokenizer (RFC 8259) that knows where it is. It is used only when
 * something went wrong, so it is simple rather than fast, and it keeps its own
 * stack, so that depth costs memory and never crashes.
 */
export class JsonScanner {
  readonly #text: string;
  #at = 0;
  #fault: SyntaxFault | undefined;
  #stack: Frame<unknown>[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** The first place at which the text is not JSON, if there is one. */
  fault(): SyntaxFault | undefined {
    this.#walk(undefined, () => undefined);
    return this.#fault;
  }

  /** Keys that occur twice in one object, as [pointer, offset of the second]. */
  duplicateKeys(): [pointer: string, offset: number][] {
    const found: [string, number][] = [];
    const root: Owner = { keys: new Set(), token: "", owner: undefined };
    this.#walk(root, (owner: Owner, token, offset, isMember) => {
      const child = { keys: new Set<string>(), token, owner };
      if (isMember && owner.keys.has(token))
        found.push([pointerOf(wayTo(child)), offset]);
      owner.keys.add(token);
      return child;
    });
    return found;
  }

  /** Offsets of the pointers' elements, or of their keys in objects; else of the nearest owner. */
  find(pointers: ReadonlySet<string>): Map<string, number> {
    const root: Wanted = { children: new Map() };
    for (const pointer of pointers) want(root, tokensOf(pointer));
    this.#skip();
    root.offset = this.#at;
    this.#walk(root, (owner: Wanted | undefined, token, offset) => {
      const node = owner?.children.get(token);
      if (node !== undefined) node.offset = offset;
      return node;
    });
    return new Map(
      [...pointers].map((pointer) => [pointer, nearest(root, pointer)]),
    );
  }

  #walk<State>(root: State, visit: Visit<State>): void {
    const stack: Frame<State>[] = [];
    this.#stack = stack;
    this.#skip();
    if (!this.#value(root)) return;
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1))
      this.#step(top, visit);
    this.#skip();
    if (this.#fault === undefined && this.#at < this.#text.length) {
      this.#fail("unexpected text after the end of the document");
    }
  }

  /** Reads one member or element of the innermost container, or its end. */
  #step<State>(frame: Frame<State>, visit: Visit<State>): void {
    this.#skip();
    const close = frame.isArray ? "]" : "}";
    if (this.#text[this.#at] === close && frame.index === 0) return this.#pop();
    if (frame.index > 0) {
      if (this.#text[this.#at] === close) return this.#pop();
      if (this.#text[this.#at] !== ",")
        return this.#fail(`expected "," or "${close}"`);
      this.#at++;
      this.#skip();
    }
    const start = this.#at;
    const token = frame.isArray ? String(frame.index) : this.#key();
    if (token === undefined) return;
    frame.index++;
    this.#value(visit(frame.state, token, start, !frame.isArray));
  }

  #key(): string | undefined {
    const raw = this.#match(STRING);
    if (raw === undefined) {
      this.#fail(
        this.#text[this.#at] === "}"
          ? "trailing comma"
          : "expected a key in double quotes",
      );
      return undefined;
    }
    this.#skip();
    if (this.#text[this.#at] !== ":") {
      this.#fail('expected ":" after the key');
      return undefined;
    }
    this.#at++;
    this.#skip();
    return JSON.parse(raw) as string;
  }

  #value(state: unknown): boolean {
    const first = this.#text[this.#at];
    if (first === "{" || first === "[") {
      this.#at++;
      this.#stack.push({ isArray: first === "[", state, index: 0 });
      return true;
    }
    if (this.#match(first === '"' ? STRING : LITERAL) !== undefined)
      return true;
    this.#fail(this.#valueFault(first));
    return false;
  }

  #valueFault(first: string | undefined): string {
    if (first === undefined) return "the text ends too early";
    if (first === '"')
      return "unterminated string, or a control character in it";
    if (first === "]" && this.#stack.at(-1)?.isArray === true)
      return "trailing comma";
    return `unexpected ${JSON.stringify(first)}`;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined || found === "") return undefined;
    this.#at += found.length;
    return found;
  }

  #skip(): void {
    SPACE.lastIndex = this.#at;
    SPACE.exec(this.#text);
    this.#at = SPACE.lastIndex;
  }

  #pop(): void {
    this.#at++;
    this.#stack.pop();
  }

  #fail(message: string): void {
    this.#fault ??= {
      offset: Math.min(this.#at, this.#text.length),
      message:
        this.#at >= this.#text.length ? "the text ends too early" : message,
    };
    this.#stack.length = 0;
  }
}

function want(root: Wanted, tokens: readonly string[]): void {
  let node = root;
  for (const token of tokens) {
    const child = node.children.get(token) ?? { children: new Map() };
    node.children.set(token, child);
    node = child;
  }
}

function nearest(root: Wanted, pointer: string): number {
  let node: Wanted | undefined = root;
  let offset = 0;
  for (const token of [...tokensOf(pointer), ""]) {
    if (node?.offset === undefined) break;
    offset = node.offset;
    node = node.children.get(token);
  }
  return offset;
}

function wayTo({ token, owner }: Owner): string[] {
  const tokens = [token];
  for (let at = owner; at?.owner !== undefined; at = at.owner)
    tokens.unshift(at.token);
  return tokens;
}
