import { checkSize } from "./text.js";

/**
 * The data of server-sent events, as the HTML standard reads them: lines end
 * in LF, CR or CRLF, wherever the text is cut; comments and fields other than
 * `data` are skipped; an event without data is none. Unlike there, an event
 * that the end of the stream cuts off counts, as many servers leave out the
 * last empty line.
 *
 * @param end data that ends the stream.
 * @throws TypeError for a stream that ends without it.
 */
export async function* eventData(
  pieces: AsyncIterable<string>,
  end?: string,
): AsyncGenerator<string> {
  let data: string[] = [];
  let size = 0;
  for await (const line of lines(pieces)) {
    if (line) {
      if (!/^data(:|$)/.test(line)) continue;
      size += line.length;
      checkSize(size);
      // After the colon and one blank.
      data.push(line.slice(line[5] === " " ? 6 : 5));
      continue;
    }
    const text = data.join("\n");
    data = [];
    size = 0;
    if (end !== undefined && text === end) return;
    if (text) yield text;
  }
  const text = data.join("\n");
  if (end !== undefined && text === end) return;
  if (text) yield text;
  if (end !== undefined) throw new TypeError("the stream broke off");
}

/** Each character is looked at once: a line without an end is not split anew. */
async function* lines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let line: string[] = [];
  let size = 0;
  let isFirst = true;
  let afterReturn = false;
  for await (let piece of pieces) {
    if (isFirst) piece = piece.replace(/^\uFEFF/, "");
    isFirst = false;
    // A CR at the end of the last piece may be the half of a CRLF.
    if (afterReturn) piece = piece.replace(/^\n/, "");
    afterReturn = piece.endsWith("\r");
    const parts = piece.split(/\r\n|\n|\r/);
    const rest = parts.pop()!;
    for (const part of parts) {
      yield line.length ? [...line, part].join("") : part;
      line = [];
      size = 0;
    }
    if (!rest) continue;
    line.push(rest);
    size += rest.length;
    checkSize(size);
  }
  if (line.length) yield line.join("");
}
