/* eslint-disable */
// biome-ignore-all lint: generated

import type { ApiDefinition, MethodDefinition } from "../server/contract.js";
import type { Call } from "../server/call.js";
import { isRedirection } from "./exchanges.js";
import { MethodTester, type TestContext } from "./method-tester.js";

/** Number of calls per batch. */
const SIZE = 50;

/** Batch method of the client. */
interface BatchClient {
  batch(calls: readonly unknown[]): Promise<readonly unknown[]>;
}

/**
 * Returns true if the API has a batch path and the client has batch methods.
 * The client does not have batch methods if a resource is named `batch` or
 * `batchSettled`.
 */
export function hasBatches({ batchPath, methods }: ApiDefinition): boolean {
  const isTaken = methods.some(({ at }) => /^batch(Settled)?$/.test(at[0]!));
  return batchPath !== undefined && !isTaken;
}

/**
 * Calls all methods in batches. Compares the sent calls and responses with the
 * received ones.
 */
export async function checkBatches(
  scene: Omit<TestContext, "method">,
  methods: readonly MethodDefinition[],
): Promise<MethodTester[]> {
  const testers = methods
    .map((method) => new MethodTester({ ...scene, method }))
    .filter((tester) => !isRedirection(tester) && !isRaw(tester));
  for (let at = 0; at < testers.length; at += SIZE)
    await checkBatch(scene, testers.slice(at, at + SIZE));
  return testers;
}

async function checkBatch(
  { client, recorder }: Pick<TestContext, "client" | "recorder">,
  testers: readonly MethodTester[],
): Promise<void> {
  const [first] = testers;
  await first!.attempt("batch", async () => {
    const received = new Map<string, Call>();
    const sent = testers.map((tester) => {
      const input = tester.makeInput("batch", true);
      const response = tester.makeResponse("batch");
      const { id } = tester.context.method;
      recorder.on(id, (call) => {
        received.set(id, call);
        return response;
      });
      return { tester, input, response, id };
    });
    const calls = sent.map(({ tester, input }) => tester.begin(input));
    const values = await (client as BatchClient).batch(calls);
    sent.forEach(({ tester, input, response, id }, index) => {
      tester.compareCall("batch", input, received.get(id)!);
      tester.compare("batch response", response, values[index]);
    });
  });
}

/**
 * Returns true if the request or response body of a method can have any media
 * type. Batches do not support such methods.
 */
function isRaw({ plan: { rawRequest, rawResponse } }: MethodTester): boolean {
  return rawRequest === true || rawResponse === true;
}
