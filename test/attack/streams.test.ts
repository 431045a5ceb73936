import { expect, it } from "vitest";
import {
  parsePart,
  splitParts,
} from "../../src/runtime/client/batch-format.js";
import { elements } from "../../src/runtime/client/stream-parsers.js";
import { eventData } from "../../src/runtime/client/stream-parsers.js";
import { forEachSeed, TIME_LIMIT, type Choices } from "./support/seeds.js";

async function* cut(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size)
    yield text.slice(at, at + size);
}

async function read(pieces: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

/** Runs within the time limit; the original attacks took at least 24 s. */
async function soon<T>(work: () => T | Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  expect(performance.now() - start).toBeLessThan(TIME_LIMIT);
  return result;
}

const type = "multipart/mixed; boundary=b";
const MEGABYTE = 2 ** 20;

it("a line of 16 MB in small chunks is scanned once", async () => {
  const long = "x".repeat(16 * MEGABYTE);
  const data = await soon(() =>
    read(eventData(cut(`data: ${long}\n\n`, 16_384))),
  );
  expect(data).toEqual([long]);
  const json = await soon(() => read(elements(cut(`["${long}"]`, 16_384))));
  expect(json).toEqual([`"${long}"`]);
});

it("an event beyond the limit is an error", async () => {
  async function* endless(): AsyncGenerator<string> {
    const piece = "x".repeat(2 ** 24);
    for (;;) yield piece;
  }
  async function* lines(): AsyncGenerator<string> {
    const piece = `data: ${"x".repeat(2 ** 24)}\n`;
    for (;;) yield piece;
  }
  for (const pieces of [
    eventData(endless()),
    eventData(lines()),
    elements(endless()),
  ])
    await expect(read(pieces)).rejects.toThrow(
      "must not exceed 67108864 characters",
    );
});

it.each([
  ["spaces in a line", " ".repeat(MEGABYTE)],
  ["tabs", "\t".repeat(MEGABYTE)],
  ["carriage returns", "\r".repeat(MEGABYTE)],
  ["empty lines", "\n".repeat(MEGABYTE)],
  ["delimiters within a line", "--b".repeat(MEGABYTE / 3)],
  ["delimiters with spaces", "--b                    x".repeat(MEGABYTE / 24)],
])("a batch with a megabyte of %s", async (_, filler) => {
  for (const body of [
    `--b\r\n\r\nHTTP/1.1 200 OK\r\na:${filler}\u2028x\r\n\r\n{}\r\n--b--`,
    `--b\r\n${filler}HTTP/1.1 200 OK\r\n\r\n{}\r\n--b--`,
    `--b${filler}x\r\n--b--`,
    `${filler}x--b--`,
    `--b\r\n\r\nHTTP/1.1 200 ${filler}\u2028\r\n\r\n{}\r\n--b--`,
    `--b\r\n\r\nHTTP/1.1 200 OK\r\n\r\n${filler}x\r\n--b--`,
  ])
    await soon(() => attempt(body));
});

function attempt(body: string): unknown {
  try {
    return splitParts(type, body).map(parsePart);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return error;
  }
}

it("parts are the content between delimiters", () => {
  const part = (text: string) => `--b \t\r\n${text}\r\n`;
  const text = `preamble\r\n${part("one")}${part("--bx\r\n--b y")}${part("")}--b--\r\nend`;
  expect(splitParts(type, text)).toEqual(["one", "--bx\r\n--b y", ""]);
  expect(splitParts(type, "--b\na\n--b--")).toEqual(["a"]);
  expect(() => splitParts(type, "--b\na\n--b-")).toThrow("is incomplete");
  const many = "--b\nx\n".repeat(10_002);
  expect(() => splitParts(type, `${many}--b--`)).toThrow(
    "more than 10000 parts",
  );
});

/** Reference implementation that parses all lines at once. */
function expectedEvents(text: string): string[] {
  const events: string[] = [];
  let data: string[] = [];
  const flush = () => {
    const joined = data.join("\n");
    if (joined) events.push(joined);
    data = [];
  };
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/)) {
    if (!line) flush();
    const match = /^data(?:: ?([^]*))?$/.exec(line);
    if (match) data.push(match[1] ?? "");
  }
  flush();
  return events;
}

const WORDS = [
  "data",
  "data: ",
  "data:",
  "x",
  "\r",
  "\n",
  "\r\n",
  "\n\n",
  ":",
  " ",
  "\uFEFF",
  "[1]",
  "é",
  "event: e",
  "\u2028",
];

it("fuzz: events do not depend on chunk boundaries", async () => {
  await forEachSeed(async ({ pick, int }: Choices) => {
    const text = Array.from({ length: int(30) }, () => pick(WORDS)).join("");
    const found = await read(eventData(cut(text, 1 + int(5))));
    expect(found).toEqual(expectedEvents(text));
  });
});

const MARKS = [
  "--b",
  "--b--",
  "\r\n",
  "\n",
  " ",
  "HTTP/1.1 200 OK",
  "a: b",
  "x",
  "--",
  "\r\n\r\n",
  "content-id: <1>",
  "HTTP/1.1 204 ",
  "\0",
];

it("fuzz: batches give parts or an error", async () => {
  await forEachSeed(({ pick, int }: Choices) => {
    const body = Array.from({ length: int(40) }, () => pick(MARKS)).join("");
    const result = attempt(`--b\r\n${body}`);
    expect(Array.isArray(result) || result instanceof Error).toBe(true);
  });
});
