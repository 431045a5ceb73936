/** Returns a document with a number of schemas and a tenth as many methods. */
export function syntheticDocument(
  schemas: number,
  name?: string,
): Record<string, unknown>;
