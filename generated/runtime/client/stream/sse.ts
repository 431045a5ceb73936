/* eslint-disable */
// biome-ignore-all lint: generated

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
  for await (const line of lines(pieces)) {
    if (line) {
      const match = /^data(?:: ?([^]*))?$/.exec(line);
      if (match) data.push(match[1] ?? "");
      continue;
    }
    const text = data.join("\n");
    data = [];
    if (end !== undefined && text == end) return;
    if (text) yield text;
  }
  const text = data.join("\n");
  if (end !== undefined && text == end) return;
  if (text) yield text;
  if (end !== undefined) throw new TypeError("the stream broke off");
}

async function* lines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  let first = true;
  for await (const piece of pieces) {
    rest += piece;
    if (first) rest = rest.replace(/^\uFEFF/, "");
    first = false;
    // A CR at the end may be the half of a CRLF.
    const parts = rest.split(/\r\n|\n|\r(?!$)/);
    rest = parts.pop() ?? "";
    yield* parts;
  }
  yield* rest.split(/\r/);
}
