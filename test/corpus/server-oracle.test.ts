import { expect, test } from "vitest";
import type { Api, Call } from "../../src/runtime/server/index.js";
import {
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

/** What came of a request. */
interface Verdict {
  readonly seen: Seen;
  /** Empty where everything arrived as it was given. */
  readonly found: readonly string[];
}

/** Every request that official clients were seen to send reaches its handler, as it was meant. */
describeCorpus("server and oracle", () => {
  test("all requests arrive", async () => {
    const verdicts: Verdict[] = [];
    for (const name of corpusNames()) verdicts.push(...(await judgeAll(name)));
    const exceptions: Record<string, number> = {};
    const wrong = verdicts.filter(({ found, seen }) => {
      if (found.length === 0) return false;
      const why = exceptionOf(seen);
      if (why !== undefined) exceptions[why] = (exceptions[why] ?? 0) + 1;
      return why === undefined;
    });
    console.info(exceptions);
    console.info(`${verdicts.length} requests, ${wrong.length} did not arrive`);
    const causes = new Map<string, Verdict[]>();
    for (const verdict of wrong) {
      const { seen, found } = verdict;
      const cause = `${seen.client} ${seen.record.kind}-${seen.record.case}: ${found[0]!.slice(0, 60)}`;
      causes.set(cause, [...(causes.get(cause) ?? []), verdict]);
    }
    for (const [cause, list] of [...causes]
      .sort((a, b) => b[1].length - a[1].length)
      .slice(0, 60))
      console.info(
        list.length,
        cause,
        list[0]!.seen.record.id,
        JSON.stringify(list[0]!.seen.record.params).slice(0, 300),
        list[0]!.seen.expected.path,
        list[0]!.seen.expected.rawQuery.slice(0, 200),
        list[0]!.found.join("; ").slice(0, 500),
      );
    expect(wrong.length).toBe(0);
  });
});

async function judgeAll(name: string): Promise<Verdict[]> {
  let reached: Reached | undefined;
  const api = await loadApi(readDocument(name));
  const server = createServer(
    api,
    recorder(api, async (call) => {
      reached = await reachedBy(call);
      return {};
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
    verdicts.push({ seen, found });
  }
  return verdicts;
}

/** A service with a handler at every place. */
function recorder(api: Api, handler: (call: Call) => unknown): object {
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
