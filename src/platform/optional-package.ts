/** Error for a command that needs an optional package that is not installed. */
export class MissingPackageError extends Error {
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
 * @param purpose - Feature that needs the package; subject of the message.
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
 * Tests the error message, since errors of Node.js have no property with the
 * name of the package.
 */
function isMissing(error: unknown, name: string): boolean {
  const { code, message } = Object(error) as NodeJS.ErrnoException;
  return code === "ERR_MODULE_NOT_FOUND" && message.includes(`'${name}'`);
}
