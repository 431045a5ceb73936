import { addPointer, nearestOffset, type PointerNode } from "./pointer-tree.js";
import { pointerOf, tokensOf } from "./types.js";

/** First syntax error in a JSON text. */
export interface JsonSyntaxError {
  readonly offset: number;
  readonly message: string;
}

/**
 * Object or array whose end the scanner has not reached, and the state that the
 * callback returned for it.
 */
interface Frame<State> {
  readonly isArray: boolean;
  readonly state: State;
  index: number;
}

/**
 * Callback for each value in the JSON text. Receives the state that was
 * returned for the object or array that contains the value, and returns the
 * state for the value itself.
 */
type Visit<State> = (
  owner: State,
  token: string,
  offset: number,
  isMember: boolean,
) => State;

/**
 * Object or array on the path to a value, with the keys that were read so far.
 */
interface Owner {
  readonly keys: Set<string>;
  readonly token: string;
  readonly owner: Owner | undefined;
}

const SPACE = /[ \t\n\r]*/y;

/**
 * Pattern that matches a part of a JSON string, without its quotation marks.
 * The length is limited, because V8 uses stack memory for each repetition. A
 * string of 9 MB would cause a stack overflow.
 */
const STRING_PART =
  /(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,8192}/y;

const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * JSON tokenizer (RFC 8259) that reports positions. Only documents with
 * findings are scanned, so the tokenizer is simple rather than fast. Its stack
 * is an array, so deep nesting can't overflow the call stack.
 */
export class JsonScanner {
  readonly #text: string;
  #at = 0;
  #error: JsonSyntaxError | undefined;
  #stack: Frame<unknown>[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the first syntax error; undefined if the text is valid JSON. */
  findError(): JsonSyntaxError | undefined {
    this.#walk(undefined, () => undefined);
    return this.#error;
  }

  /**
   * Returns the keys that occur more than once in an object, with the offset of
   * each repeated key.
   */
  duplicateKeys(): [pointer: string, offset: number][] {
    const duplicates: [string, number][] = [];
    const root: Owner = { keys: new Set(), token: "", owner: undefined };
    this.#walk(root, (owner: Owner, token, offset, isMember) => {
      const child = { keys: new Set<string>(), token, owner };
      if (isMember && owner.keys.has(token))
        duplicates.push([pointerOf(tokensTo(child)), offset]);
      owner.keys.add(token);
      return child;
    });
    return duplicates;
  }

  /**
   * Returns the offset of the key or element at each pointer. For a pointer to
   * a missing value, returns the offset of its nearest ancestor.
   */
  find(pointers: ReadonlySet<string>): Map<string, number> {
    const root: PointerNode = { children: new Map() };
    for (const pointer of pointers) addPointer(root, tokensOf(pointer));
    this.#skip();
    root.offset = this.#at;
    this.#walk(root, (owner: PointerNode | undefined, token, offset) => {
      const node = owner?.children.get(token);
      if (node !== undefined) node.offset = offset;
      return node;
    });
    return new Map(
      [...pointers].map((pointer) => [pointer, nearestOffset(root, pointer)]),
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
    if (this.#error === undefined && this.#at < this.#text.length) {
      this.#fail("unexpected text after the end of the document");
    }
  }

  /** Reads the next member, element or end of the current object or array. */
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
    const raw = this.#string();
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
    const raw = first === '"' ? this.#string() : this.#match(LITERAL);
    if (raw !== undefined) return true;
    this.#fail(this.#valueError(first));
    return false;
  }

  #valueError(first: string | undefined): string {
    if (first === undefined) return "unexpected end of the text";
    if (first === '"')
      return "unterminated string, or control character in a string";
    if (first === "]" && this.#stack.at(-1)?.isArray === true)
      return "trailing comma";
    return `unexpected ${JSON.stringify(first)}`;
  }

  /** Reads a string. Returns it with its quotation marks. */
  #string(): string | undefined {
    const start = this.#at;
    if (this.#text[start] !== '"') return undefined;
    this.#at++;
    while (this.#match(STRING_PART) !== undefined);
    if (this.#text[this.#at] === '"')
      return this.#text.slice(start, ++this.#at);
    this.#at = start;
    return undefined;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const text = pattern.exec(this.#text)?.[0];
    if (text === undefined || text === "") return undefined;
    this.#at += text.length;
    return text;
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
    this.#error ??= {
      offset: Math.min(this.#at, this.#text.length),
      message:
        this.#at >= this.#text.length ? "unexpected end of the text" : message,
    };
    this.#stack.length = 0;
  }
}

function tokensTo({ token, owner }: Owner): string[] {
  const tokens = [token];
  for (let at = owner; at?.owner !== undefined; at = at.owner)
    tokens.unshift(at.token);
  return tokens;
}
