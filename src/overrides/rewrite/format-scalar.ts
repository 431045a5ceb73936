/** Text as a plain scalar where that is safe, else in double quotes. */
export function scalarText(text: string): string {
  const isSafe =
    /^[A-Za-z.$][\w.$/-]*$/.test(text) &&
    !/^(true|false|null|yes|no|on|off|y|n|\.nan|\.inf)$/i.test(text);
  return isSafe ? text : JSON.stringify(text);
}

/** Another text in the quotes that the old one had. */
export function requoted(source: string, text: string): string {
  if (source.startsWith('"')) return JSON.stringify(text);
  if (source.startsWith("'")) return `'${text.replace(/'/g, "''")}'`;
  return scalarText(text);
}
