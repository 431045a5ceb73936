/**
 * Error for a feature that requires an optional package that is not installed.
 */
export class MissingPackageError extends Error {
  constructor(name: string, purpose: string) {
    super(
      `${purpose} needs the package ${name}, which is not installed; run \`npm install ${name}\``,
    );
    this.name = "MissingPackageError";
  }
}

/**
 * Imports a module that requires an optional peer dependency.
 *
 * @param name - Name of the package in `peerDependencies`.
 * @param purpose - Feature that requires the package; subject of the message.
 * @throws MissingPackageError if the package is not installed.
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

/**
 * Tests whether an import failed because a package is not installed. Searches
 * the error message for the package name, because errors of Node.js do not
 * contain the name in a property.
 */
function isMissing(error: unknown, name: string): boolean {
  const { code, message } = Object(error) as NodeJS.ErrnoException;
  const isModule =
    code === "MODULE_NOT_FOUND" || code === "ERR_MODULE_NOT_FOUND";
  return isModule && message.includes(`'${name}'`);
}
