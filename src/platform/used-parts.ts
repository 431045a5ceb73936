/**
 * Names of the parts of the program, such as targets, that this process has used.
 * Compiled code of new parts is added to the code cache.
 */
export const usedParts: Set<string> = new Set();
