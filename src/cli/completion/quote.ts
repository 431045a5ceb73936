/** Names of the installed program. */
export const PROGRAMS: readonly ["gen", "discovery-codegen"] = [
  "gen",
  "discovery-codegen",
];

/** Quotes text for fish, which supports escapes in single quotes. */
export function fishQuote(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
