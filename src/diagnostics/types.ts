/**
 * Severity of a finding. An error stops the processing of its document. A
 * warning means that the output can differ from what the author of the document
 * intended. An `info` finding reports a decision of the generator.
 */
export type Severity = "error" | "warning" | "info";

/** Finding about an input, with location, cause and fix. */
export interface Diagnostic {
  /**
   * Diagnostic code, such as `json-syntax`. Codes do not change between
   * releases.
   */
  readonly code: string;
  readonly severity: Severity;
  /**
   * Message about this finding, which contains the affected names and values.
   */
  readonly message: string;
  /**
   * Name of the input, as the user typed it; absent for findings that do not
   * refer to an input.
   */
  readonly file?: string;
  /**
   * Line number, starting at 1; absent if the position is unknown or not yet
   * calculated.
   */
  readonly line?: number;
  /** Column number, starting at 1, in UTF-16 code units. */
  readonly column?: number;
  /** JSON pointer (RFC 6901) of the value in the document. */
  readonly pointer?: string;
  /** Cause that all findings with this code have in common. */
  readonly cause?: string;
  /** Instruction for fixing the problem. */
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

/**
 * Returns the value at a JSON pointer; undefined if the value does not exist.
 */
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
