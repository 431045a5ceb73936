import { pointerOf, tokensOf, type Diagnostic } from "../diagnostics/types.js";
import type { PatchPosition } from "./patch-file.js";

/** Location at which an operation changed or renamed a value. */
type Change =
  | { readonly tokens: readonly string[]; readonly by: PatchPosition }
  | { readonly from: readonly string[]; readonly to: readonly string[] };

/**
 * Record of the changes that patches made. It is needed to relocate findings:
 * to the patch if it changed the value, and to the original location if a patch
 * renamed the value.
 */
export class Origins {
  readonly #changes: Change[] = [];

  /** Records that a patch changed or removed a value. */
  addWrite(tokens: readonly string[], by: PatchPosition): void {
    this.#changes.push({ tokens, by });
  }

  /** Records that a value was renamed. */
  addRename(from: readonly string[], to: readonly string[]): void {
    this.#changes.push({ from, to });
  }

  /**
   * Moves a finding about the patched document to the location of its cause:
   * the operation that changed the value, or the value in the original
   * document.
   */
  relocate(finding: Diagnostic): Diagnostic {
    if (finding.pointer === undefined || finding.line !== undefined)
      return finding;
    let tokens = tokensOf(finding.pointer);
    // Later changes can move a value, so the last change is examined first.
    for (const change of [...this.#changes].reverse()) {
      if ("by" in change) {
        if (!isBelow(tokens, change.tokens)) continue;
        const { file, line, column } = change.by;
        return { ...finding, file, line, column };
      }
      if (isBelow(tokens, change.to))
        tokens = [...change.from, ...tokens.slice(change.to.length)];
    }
    return { ...finding, pointer: pointerOf(tokens) };
  }

  /**
   * Returns the position of the last operation that changed the value at a JSON
   * pointer or a value nested in it.
   */
  lastBelow(pointer: string): PatchPosition | undefined {
    const ancestor = tokensOf(pointer);
    for (const change of [...this.#changes].reverse())
      if ("by" in change && isBelow(change.tokens, ancestor)) return change.by;
    return undefined;
  }
}

/** Tests whether a location is equal to another location or below it. */
export function isBelow(
  tokens: readonly string[],
  ancestor: readonly string[],
): boolean {
  return (
    tokens.length >= ancestor.length &&
    ancestor.every((token, at) => token === tokens[at])
  );
}
