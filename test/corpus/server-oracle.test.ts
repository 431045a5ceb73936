import { beforeAll, expect, test } from "vitest";
import type { ApiDefinition, Call } from "../../src/runtime/server/index.js";
import {
  content,
  createServer,
  type Outgoing,
  type Server,
} from "../../src/runtime/server/index.js";
import { incomingOf, uploadOf } from "./server-oracle/wire.js";
import { corpusNames } from "../support/paths.js";
import { loadApi } from "../unit/server/generated.js";
import {
  differences,
  exceptionOf,
  reachedBy,
  type Reached,
} from "./server-oracle/judge.js";
import { seenRequests, type Seen } from "./server-oracle/records.js";
import { describeCorpus, readDocument } from "./support.js";

/** Result of a request. */
interface Verdict {
  readonly seen: Seen;
  readonly status: number;
  /** Differences from the call; empty if there are none. */
  readonly found: readonly string[];
}

/** Every recorded request of official clients reaches its handler with the values of the call. */
describeCorpus("server and oracle", () => {
  const verdicts: Verdict[] = [];

  beforeAll(async () => {
    for (const name of corpusNames()) verdicts.push(...(await judgeAll(name)));
  }, 120_000);

  test("all requests arrive with the values of the call", () => {
    const exceptions: Record<string, number> = {};
    const wrong = verdicts.filter(({ found, seen }) => {
      if (found.length === 0) return false;
      const why = exceptionOf(seen, found);
      if (why !== undefined) exceptions[why] = (exceptions[why] ?? 0) + 1;
      return why === undefined;
    });
    const excepted = Object.values(exceptions).reduce((sum, n) => sum + n, 0);
    console.info(
      `${verdicts.length} requests, ${verdicts.length - wrong.length - excepted} arrived, ${wrong.length} did not, exceptions:`,
      exceptions,
    );
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(verdicts.length).toBeGreaterThan(20_000);
    expect(excepted).toBeLessThan(verdicts.length / 25);
  });

  test("no request causes a server error", () => {
    expect(verdicts.filter(({ status }) => status >= 500)).toEqual([]);
  });
});

async function judgeAll(name: string): Promise<Verdict[]> {
  let reached: Reached | undefined;
  const api = await loadApi(readDocument(name));
  const server = createServer(
    api,
    recorder(api, async (call) => {
      reached = await reachedBy(call);
      return call.wantsContent ? content({ body: new Uint8Array(4) }) : {};
    }),
  );
  const verdicts: Verdict[] = [];
  for (const seen of seenRequests(name)) {
    reached = undefined;
    const answer = await send(server, seen);
    const found =
      reached === undefined
        ? [`${answer.status} ${String(answer.body)}`]
        : differences(seen, reached);
    verdicts.push({ seen, status: answer.status, found });
  }
  return verdicts;
}

/** A service with a handler for every method. */
function recorder(
  api: ApiDefinition,
  handler: (call: Call) => unknown,
): object {
  const service = {};
  for (const { at } of api.methods) {
    let place: Record<string, unknown> = service;
    for (const name of at.slice(0, -1))
      place = (place[name] ??= Object.assign(() => {}, {})) as typeof place;
    const last = at.at(-1)!;
    place[last] = Object.assign((call: Call) => handler(call), place[last]);
  }
  return service;
}

async function send(server: Server, seen: Seen): Promise<Outgoing> {
  const answer = await server.handle(incomingOf(seen));
  const { location } = answer.headers;
  if (seen.record.upload === undefined || location === undefined) return answer;
  return server.handle(uploadOf(seen, location));
}
