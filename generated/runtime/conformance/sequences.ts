/* eslint-disable */
// biome-ignore-all lint: generated

import type { Call } from "../server/call.js";
import type { MethodTester } from "./method-tester.js";

type Members = Record<string, unknown>;

/**
 * Page tokens in standard base64. They contain characters that must be escaped
 * in URLs.
 */
const TOKENS: readonly string[] = ["Zm9v+/8=", "YmFy/+8="];

/**
 * Checks that the client requests each page with the token from the previous
 * page, and that it receives all items.
 */
export async function checkPages(tester: MethodTester): Promise<void> {
  const { paging } = tester.plan;
  if (paging === undefined) return;
  const { recorder, method } = tester.context;
  const { token, next, items, inBody } = paging;
  const pages = [...TOKENS, undefined].map((following, index): Members => {
    const page = { ...(tester.makeResponse(`page ${index}`) as Members) };
    delete page[next];
    return following === undefined ? page : { ...page, [next]: following };
  });
  await tester.attempt("pages", async () => {
    const { parameters, body } = tester.makeInput("pages", true);
    const asked: unknown[] = [];
    recorder.on(method.id, (call: Call) => {
      const holder = inBody === true ? call.body : call.params;
      asked.push((Object(holder) as Members)[token]);
      return pages[(asked.length - 1) % pages.length];
    });
    const input = { parameters, body };
    const call = tester.begin(input) as { pages(): AsyncIterable<unknown> };
    tester.compare("pages", pages, await collect(call.pages()));
    const first = inBody === true ? undefined : parameters[token];
    const tokens = [first, ...TOKENS].map(orNull);
    tester.compare("page tokens", tokens, asked.map(orNull));
    if (items === undefined) return;
    const again = tester.begin(input) as AsyncIterable<unknown>;
    const held = pages.flatMap((page) => itemsOf(page[items]));
    tester.compare("items", held, await collect(again));
  });
}

function orNull(value: unknown): unknown {
  return value === undefined || value === "" ? null : value;
}

/**
 * Returns the items of a page. If the items are a map, returns the entries of
 * the map.
 */
function itemsOf(held: unknown): unknown[] {
  return Array.isArray(held) ? held : Object.entries(Object(held) as object);
}

async function collect(values: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/**
 * Checks streamed responses. The elements of a stream are events or list
 * elements.
 */
export async function checkStream(tester: MethodTester): Promise<void> {
  const { stream, request, paging } = tester.plan;
  if (stream === undefined || paging !== undefined) return;
  const { recorder, method } = tester.context;
  const { when, element } = stream;
  const elements = [0, 1, 2].map((index) =>
    withoutError(tester.makeValue(element, `element ${index}`)),
  );
  await tester.attempt("stream", async () => {
    const input = tester.makeInput("stream", false);
    let received: Call | undefined;
    recorder.on(method.id, (call: Call) => {
      received = call;
      return when === undefined ? elements : generated(elements);
    });
    const call = tester.begin(input) as AsyncIterable<unknown>;
    tester.compare("stream", elements, await collect(call));
    const body =
      request === undefined || when === undefined
        ? input.body
        : { ...(input.body as object), ...when };
    tester.compareCall("stream", { ...input, body }, received!);
  });
}

/**
 * Removes the member `error` from a stream element, because an error ends the
 * stream.
 */
function withoutError(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  const { error: _, ...rest } = value as Members;
  return rest;
}

async function* generated(values: readonly unknown[]): AsyncGenerator<unknown> {
  yield* values;
}
