/* eslint-disable */
// biome-ignore-all lint: generated

import type { Call } from "../server/call.js";
import type { MethodTester } from "./method-tester.js";

type Fields = Record<string, unknown>;

/** Page tokens, in standard and URL-unsafe base64. */
const TOKENS: readonly string[] = ["Zm9v+/8=", "YmFy/+8="];

/**
 * Checks that all pages are requested with the preceding page's token, and that
 * their items arrive.
 */
export async function checkPages(trial: MethodTester): Promise<void> {
  const { paging } = trial.plan;
  if (paging === undefined) return;
  const { recorder, method } = trial.context;
  const { token, next, items, inBody } = paging;
  const pages = [...TOKENS, undefined].map((following, index): Fields => {
    const page = { ...(trial.makeResponse(`page ${index}`) as Fields) };
    delete page[next];
    return following === undefined ? page : { ...page, [next]: following };
  });
  await trial.attempt("pages", async () => {
    const { parameters, body } = trial.makeInput("pages", true);
    const asked: unknown[] = [];
    recorder.on(method.id, (call: Call) => {
      const holder = inBody === true ? call.body : call.params;
      asked.push((Object(holder) as Fields)[token]);
      return pages[(asked.length - 1) % pages.length];
    });
    const given = { parameters, body };
    const call = trial.begin(given) as { pages(): AsyncIterable<unknown> };
    trial.compare("pages", pages, await collect(call.pages()));
    const first = inBody === true ? undefined : parameters[token];
    const tokens = [first, ...TOKENS].map(orNull);
    trial.compare("page tokens", tokens, asked.map(orNull));
    if (items === undefined) return;
    const again = trial.begin(given) as AsyncIterable<unknown>;
    const held = pages.flatMap((page) => itemsOf(page[items]));
    trial.compare("items", held, await collect(again));
  });
}

function orNull(value: unknown): unknown {
  return value === undefined || value === "" ? null : value;
}

/** Returns the items of a page; for a map its entries. */
function itemsOf(held: unknown): unknown[] {
  return Array.isArray(held) ? held : Object.entries(Object(held) as object);
}

async function collect(values: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** Checks streamed responses: events, or the elements of a list. */
export async function checkStream(trial: MethodTester): Promise<void> {
  const { stream, request, paging } = trial.plan;
  if (stream === undefined || paging !== undefined) return;
  const { recorder, method } = trial.context;
  const { when, element } = stream;
  const elements = [0, 1, 2].map((index) =>
    withoutError(trial.makeValue(element, `element ${index}`)),
  );
  await trial.attempt("stream", async () => {
    const given = trial.makeInput("stream", false);
    let arrived: Call | undefined;
    recorder.on(method.id, (call: Call) => {
      arrived = call;
      return when === undefined ? elements : generated(elements);
    });
    const call = trial.begin(given) as AsyncIterable<unknown>;
    trial.compare("stream", elements, await collect(call));
    const body =
      request === undefined || when === undefined
        ? given.body
        : { ...(given.body as object), ...when };
    trial.compareCall("stream", { ...given, body }, arrived!);
  });
}

/** Removes the member `error`, which would end the stream. */
function withoutError(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  const { error: _, ...rest } = value as Fields;
  return rest;
}

async function* generated(values: readonly unknown[]): AsyncGenerator<unknown> {
  yield* values;
}
