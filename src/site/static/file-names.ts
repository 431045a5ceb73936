/** Maximum number of characters of a file name, without its extension. */
const MAX_NAME = 80;

/**
 * Assigns file names to names in a document. The file names contain only
 * letters, digits, `.`, `_` and `-`, and are unique even on file systems that
 * ignore case.
 */
export class FileNames {
  readonly #used = new Set<string>();

  /** @param reserved file names that can't be assigned */
  constructor(reserved: readonly string[] = []) {
    for (const name of reserved) this.#used.add(name);
  }

  /** Returns an unused file name derived from `name`. */
  assign(name: string): string {
    const safe = name
      .replace(/[^A-Za-z0-9._-]/g, "_")
      .replace(/^\.+|\.$/g, "_")
      .slice(0, MAX_NAME);
    // An underscore is added to device names such as CON, because Windows
    // reserves them.
    const stem =
      safe === "" || /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(safe)
        ? `_${safe}`
        : safe;
    let candidate = stem;
    for (let count = 2; this.#used.has(candidate.toLowerCase()); count++)
      candidate = `${stem}-${count}`;
    this.#used.add(candidate.toLowerCase());
    return candidate;
  }
}
