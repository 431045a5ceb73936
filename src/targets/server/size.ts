const UNITS: readonly string[] = ["", "K", "M", "G", "T", "P"];

/** Bytes of a size such as "5GB"; undefined where it says none. */
export function byteSize(text: string | undefined): number | undefined {
  const match = /^\s*(\d+)\s*([KMGTP]?)B?\s*$/i.exec(text ?? "");
  if (match === null) return undefined;
  const size =
    Number(match[1]) * 1024 ** UNITS.indexOf(match[2]!.toUpperCase());
  return size > 0 && Number.isSafeInteger(size) ? size : undefined;
}
