/** Returns the block of a result in README.md. */
export function blockOf(result: object): string;
/** Returns the block of a family in a text. */
export function blockIn(text: string, family: string): string | undefined;
