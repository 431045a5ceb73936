/** Quotes text for a POSIX shell, such as bash and zsh. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Quotes a word for a POSIX shell, unless it has only harmless characters. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : shellQuote(word);
}
