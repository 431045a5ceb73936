/* eslint-disable */
// biome-ignore-all lint: generated

import { checkSize } from "./text.js";

/**
 * Yields the data of server-sent events. Parses them as in the HTML standard:
 * lines end with LF, CR or CRLF, even across chunks; comments, fields other
 * than `data` and events without data are skipped. In contrast to the standard,
 * also yields a last event that is not followed by an empty line, because many
 * servers omit this line.
 *
 * @param end data of the event that ends the stream.
 * @throws TypeError for a stream without this event.
 */
export async function* eventData(
  chunks: AsyncIterable<string>,
  end?: string,
): AsyncGenerator<string> {
  let data: string[] = [];
  let size = 0;
  for await (const line of lines(chunks)) {
    if (line) {
      if (!/^data(:|$)/.test(line)) continue;
      size += line.length;
      checkSize(size);
      // According to the standard, a single space after the colon is not part
      // of the data.
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
  if (end !== undefined) throw new TypeError("the stream is incomplete");
}

/**
 * Splits text into lines in linear time: the parts of a line are joined only
 * when its end is received.
 */
async function* lines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let line: string[] = [];
  let size = 0;
  let isFirst = true;
  let afterReturn = false;
  for await (let chunk of chunks) {
    if (isFirst) chunk = chunk.replace(/^\uFEFF/, "");
    isFirst = false;
    // A CR at the end of the previous chunk can be the first half of a CRLF.
    if (afterReturn) chunk = chunk.replace(/^\n/, "");
    afterReturn = chunk.endsWith("\r");
    const parts = chunk.split(/\r\n|\n|\r/);
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
