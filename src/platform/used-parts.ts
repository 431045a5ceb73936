/**
 * Names of the parts of the program, such as targets, that this process has
 * used. If the code cache does not contain compiled code for one of these
 * parts, the code is added.
 */
export const usedParts: Set<string> = new Set();
