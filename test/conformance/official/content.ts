/** Every byte, and sequences that resemble the end of a part. */
export function contentOf(length: number): Buffer {
  const bytes = Buffer.from(Uint8Array.from({ length }, (_, at) => at * 7));
  bytes.write("\r\n--\r\n--boundary--\r\n\r\n\0", 0, "latin1");
  return bytes;
}

/** Name that is hard to encode. */
export const ODD = 'a folder/100% of naïve + 漢字 & "quotes"?#.txt';
