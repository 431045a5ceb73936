/**
 * Formats text without quotes if YAML would parse it as the same text,
 * otherwise in double quotes.
 */
export function formatScalar(text: string): string {
  const isSafe =
    /^[A-Za-z.$][\w.$/-]*$/.test(text) &&
    !/^(true|false|null|yes|no|on|off|y|n|\.nan|\.inf)$/i.test(text);
  return isSafe ? text : JSON.stringify(text);
}

/** Formats text with the same kind of quotes as the original value. */
export function formatLikeSource(source: string, text: string): string {
  if (source.startsWith('"')) return JSON.stringify(text);
  if (source.startsWith("'")) return `'${text.replace(/'/g, "''")}'`;
  return formatScalar(text);
}
