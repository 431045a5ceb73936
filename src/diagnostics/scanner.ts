/** Where and why a text stops being JSON. */
export interface SyntaxFault {
  readonly offset: number;
  readonly message: string;
}

interface Frame {
  readonly isArray: boolean;
  readonly pointer: string;
  index: number;
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
  readonly #stack: Frame[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** The first place at which the text is not JSON, if there is one. */
  fault(): SyntaxFault | undefined {
    this.#walk(() => {});
    return this.#fault;
  }

  /** Keys that occur twice in one object, as [pointer, offset of the second]. */
  duplicateKeys(): [pointer: string, offset: number][] {
    const seen = new Set<string>();
    const found: [string, number][] = [];
    this.#walk((pointer, offset, isMember) => {
      if (!isMember) return;
      if (seen.has(pointer)) found.push([pointer, offset]);
      else seen.add(pointer);
    });
    return found;
  }

  /** Offsets of the pointers' values, or of their keys in objects. */
  find(pointers: ReadonlySet<string>): Map<string, number> {
    const offsets = new Map<string, number>();
    const prefixes = new Map<string, number>();
    const wanted = new Set<string>();
    for (const pointer of pointers) {
      for (let p = pointer; ; p = p.slice(0, p.lastIndexOf("/"))) {
        wanted.add(p);
        if (p === "") break;
      }
    }
    this.#walk((pointer, offset) => {
      if (wanted.has(pointer)) prefixes.set(pointer, offset);
    });
    for (const pointer of pointers) {
      let nearest = pointer;
      while (!prefixes.has(nearest) && nearest !== "") {
        nearest = nearest.slice(0, nearest.lastIndexOf("/"));
      }
      offsets.set(pointer, prefixes.get(nearest) ?? 0);
    }
    return offsets;
  }

  #walk(
    visit: (pointer: string, offset: number, isMember: boolean) => void,
  ): void {
    this.#skip();
    visit("", this.#at, false);
    if (!this.#value("")) return;
    while (this.#stack.length > 0 && this.#fault === undefined) {
      this.#step(this.#stack[this.#stack.length - 1]!, visit);
    }
    this.#skip();
    if (this.#fault === undefined && this.#at < this.#text.length) {
      this.#fail("unexpected text after the end of the document");
    }
  }

  /** Reads one member or element of the innermost container, or its end. */
  #step(
    frame: Frame,
    visit: (pointer: string, offset: number, isMember: boolean) => void,
  ): void {
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
    const pointer = `${frame.pointer}/${token.replace(/~/g, "~0").replace(/\//g, "~1")}`;
    visit(pointer, start, !frame.isArray);
    this.#value(pointer);
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

  #value(pointer: string): boolean {
    const first = this.#text[this.#at];
    if (first === "{" || first === "[") {
      this.#at++;
      this.#stack.push({ isArray: first === "[", pointer, index: 0 });
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
    if (first === "]" || first === "}") return "trailing comma";
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
