/**
 * Names of the parts of the program that this process has used, such as targets.
 * Code of parts that were not used before is added to the code cache.
 */
export const usedParts: Set<string> = new Set();
