/** Start and end offset of a value in a string. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Information about a JSON text that `JSON.parse` does not provide. */
export interface JsonScan {
  /** Path of the first duplicate key, such as `messages[0].role`. */
  readonly duplicateKey: string | undefined;
  /** Offsets of the values of the top-level members, keyed by member name. */
  readonly members: ReadonlyMap<string, Span>;
}

/** Object or array that is being read. */
interface Frame {
  /** Keys that have been read; undefined for an array. */
  readonly keys: Set<string> | undefined;
  key: string;
  index: number;
  /** Start offset of the value of the current key. */
  start: number;
}

/**
 * Scans the text of a JSON object for duplicate keys and for the positions of
 * values. `JSON.parse` does not report duplicate keys; it uses the last one.
 *
 * @param text valid JSON
 */
export function scanJson(text: string): JsonScan {
  return new JsonScanner(text).read();
}

class JsonScanner {
  readonly #text: string;
  readonly #members = new Map<string, Span>();
  readonly #stack: Frame[] = [];
  #duplicateKey: string | undefined;
  /** True if the next string is a key, false if it is a value. */
  #isKey = false;

  constructor(text: string) {
    this.#text = text;
  }

  read(): JsonScan {
    for (let at = 0; at < this.#text.length; at++) at = this.#unit(at);
    return { duplicateKey: this.#duplicateKey, members: this.#members };
  }

  /**
   * Reads the token at a position. Returns the position of its last character.
   */
  #unit(at: number): number {
    const top = this.#stack.at(-1);
    switch (this.#text[at]) {
      case '"':
        return this.#string(at, top);
      case "{":
        this.#open(new Set());
        break;
      case "[":
        this.#open(undefined);
        break;
      case "}":
      case "]":
        this.#endMember(at);
        this.#stack.pop();
        this.#isKey = false;
        break;
      case ":":
        if (top !== undefined) top.start = at + 1;
        break;
      case ",":
        this.#endMember(at);
        this.#isKey = top?.keys !== undefined;
        if (top !== undefined) top.index++;
    }
    return at;
  }

  #open(keys: Set<string> | undefined): void {
    this.#stack.push({ keys, key: "", index: 0, start: 0 });
    this.#isKey = keys !== undefined;
  }

  #string(at: number, top: Frame | undefined): number {
    const end = endOfString(this.#text, at);
    if (!this.#isKey || top?.keys === undefined) return end;
    this.#isKey = false;
    const raw = this.#text.slice(at + 1, end);
    top.key = raw.includes("\\") ? (JSON.parse(`"${raw}"`) as string) : raw;
    if (top.keys.has(top.key)) this.#duplicateKey ??= this.#path();
    top.keys.add(top.key);
    return end;
  }

  #endMember(at: number): void {
    if (this.#stack.length !== 1) return;
    const { keys, key, start } = this.#stack[0]!;
    if (keys?.has(key) === true)
      this.#members.set(key, { from: start, to: at });
  }

  #path(): string {
    return this.#stack
      .map(({ keys, key, index }) =>
        keys === undefined ? `[${index}]` : `.${key.slice(0, 100)}`,
      )
      .join("")
      .slice(1, 500);
  }
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let count = 0;
  while (text.charCodeAt(at - 1 - count) === 92) count++;
  return count % 2 === 1;
}
