const UNITS: readonly string[] = ["", "K", "M", "G", "T", "P", "E"];

/**
 * Parses `maxSize`, a number with a unit (powers of 1,024) such as "5GB",
 * "5.5GB" or "5TiB". Returns the number of bytes, rounded down; undefined for
 * other text.
 */
export function byteSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([KMGTPE]?)(?:I?B)?$/i.exec(text.trim());
  if (match === null) return undefined;
  const power = UNITS.indexOf(match[2]!.toUpperCase());
  const size = Math.floor(Number(match[1]) * 1024 ** power);
  return size > 0 && Number.isSafeInteger(size) ? size : undefined;
}

/** Formats a number of bytes: "5 TiB", "10 MiB", "1.5 KiB". */
export function readableSize(bytes: number): string {
  let size = bytes;
  let power = 0;
  while (size >= 1024 && power < UNITS.length - 1) {
    size /= 1024;
    power++;
  }
  const number = Number(size.toFixed(2));
  return power === 0 ? `${number} bytes` : `${number} ${UNITS[power]}iB`;
}
