/**
 * Severity of a finding: an error stops its document, a warning means that the
 * output may differ from the intent of the document's author, an info records a
 * decision.
 */
export type Severity = "error" | "warning" | "info";

/** Finding about an input, with location, cause and fix. */
export interface Diagnostic {
  /** Stable code of the catalogue. */
  readonly code: string;
  readonly severity: Severity;
  /** One sentence with the names and values of this finding. */
  readonly message: string;
  /** Name of the input as the user typed it; absent for findings about the run. */
  readonly file?: string;
  /** 1-based; absent until located, or if the input has no such position. */
  readonly line?: number;
  /** 1-based, in UTF-16 code units. */
  readonly column?: number;
  /** JSON pointer (RFC 6901) into the document. */
  readonly pointer?: string;
  /** Reason of all findings of this code. */
  readonly cause?: string;
  /** Action that resolves the finding. */
  readonly fix?: string;
}

/** Unescaped reference tokens of a JSON pointer. */
export type Path = readonly (string | number)[];

/** Formats reference tokens as a JSON pointer (RFC 6901 §3). */
export function pointerOf(path: Path): string {
  return path.map((token) => `/${escapeToken(String(token))}`).join("");
}

/** Escapes a reference token for a JSON pointer. */
export function escapeToken(token: string): string {
  return token.replace(/~/g, "~0").replace(/\//g, "~1");
}

/** Parses a JSON pointer into unescaped reference tokens. */
export function tokensOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replace(/~1/g, "/").replace(/~0/g, "~"));
}

/** Returns the value at a JSON pointer; undefined if it does not exist. */
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
