/**
 * How bad a finding is: an error stops the document it is about, a warning
 * means that output differs from what the document's author may expect, an
 * info records a decision.
 */
export type Severity = "error" | "warning" | "info";

/** One finding about an input, with the place, the cause and the way out. */
export interface Diagnostic {
  /** Stable code, a row of the catalogue. */
  readonly code: string;
  readonly severity: Severity;
  /** What happened, in one sentence with the names at hand. */
  readonly message: string;
  /** Name of the input as the user gave it; absent for the run as a whole. */
  readonly file?: string;
  /** 1-based; absent until located, or if the input has no such position. */
  readonly line?: number;
  /** 1-based, in UTF-16 code units. */
  readonly column?: number;
  /** JSON pointer (RFC 6901) into the document. */
  readonly pointer?: string;
  /** Why it happened. */
  readonly cause?: string;
  /** What to do about it. */
  readonly fix?: string;
}

/** A JSON pointer's unescaped reference tokens. */
export type Path = readonly (string | number)[];

/** Renders reference tokens as a JSON pointer (RFC 6901 §3). */
export function pointerOf(path: Path): string {
  return path.map((token) => `/${escapeToken(String(token))}`).join("");
}

/** A reference token as it stands in a JSON pointer. */
export function escapeToken(token: string): string {
  return token.replace(/~/g, "~0").replace(/\//g, "~1");
}

/** The reference tokens of a JSON pointer. */
export function tokensOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replace(/~1/g, "/").replace(/~0/g, "~"));
}

/** The value at a JSON pointer; undefined where there is none. */
export function resolvePointer(root: unknown, pointer: string): unknown {
  let value = root;
  for (const key of tokensOf(pointer)) {
    if (
      typeof value !== "object" ||
      value === null ||
      !Object.hasOwn(value, key)
    )
      return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
