/** A package that a command needs and that is not installed with this one. */
export class MissingPackageError extends Error {
  /** Says what needs the package, and the command that installs it. */
  constructor(name: string, purpose: string) {
    super(
      `${purpose} needs the package ${name}, which is not installed; run \`npm install ${name}\``,
    );
    this.name = "MissingPackageError";
  }
}

/**
 * Loads a module that imports an optional peer dependency.
 *
 * @param name - The package, as in `peerDependencies`.
 * @param purpose - What needs it; begins the message.
 * @throws MissingPackageError if the package is not installed; whatever else
 *   the module throws as it loads.
 */
export async function loadWithPackage<T>(
  name: string,
  purpose: string,
  load: () => Promise<T>,
): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (isMissing(error, name)) throw new MissingPackageError(name, purpose);
    throw error;
  }
}

/** Node names the package in the message only. */
function isMissing(error: unknown, name: string): boolean {
  const { code, message } = Object(error) as NodeJS.ErrnoException;
  return code === "ERR_MODULE_NOT_FOUND" && message.includes(`'${name}'`);
}
