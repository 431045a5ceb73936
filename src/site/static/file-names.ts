/** Maximum number of characters of a file name, without its extension. */
const MAX_NAME = 80;

/**
 * Assigner of file names to names in a document. File names contain only
 * letters, digits, `.`, `_` and `-`, and are unique on file systems that ignore
 * case.
 */
export class FileNames {
  readonly #used = new Set<string>();

  /** @param reserved file names that must not be assigned */
  constructor(reserved: readonly string[] = []) {
    for (const name of reserved) this.#used.add(name);
  }

  /** Returns an unused file name that is derived from a name. */
  assign(name: string): string {
    const safe = name
      .replace(/[^A-Za-z0-9._-]/g, "_")
      .replace(/^\.+|\.$/g, "_")
      .slice(0, MAX_NAME);
    // Windows reserves names such as CON for devices.
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
