/* eslint-disable */
// biome-ignore-all lint: generated

import type { ApiDefinition, MethodDefinition } from "../server/contract.js";
import type { Call } from "../server/call.js";
import { isRedirection } from "./exchanges.js";
import { MethodTester, type TestContext } from "./method-tester.js";

/** Number of calls per batch. */
const SIZE = 50;

/** Batch method of the client. */
interface Batching {
  batch(calls: readonly unknown[]): Promise<readonly unknown[]>;
}

/**
 * Returns true if the API has a batch path, and no resource of its own hides
 * the client's batch methods.
 */
export function hasBatches({ batchPath, methods }: ApiDefinition): boolean {
  const isTaken = methods.some(({ at }) => /^batch(Settled)?$/.test(at[0]!));
  return batchPath !== undefined && !isTaken;
}

/** Checks every method as a call in a batch. */
export async function checkBatches(
  scene: Omit<TestContext, "method">,
  methods: readonly MethodDefinition[],
): Promise<MethodTester[]> {
  const trials = methods
    .map((method) => new MethodTester({ ...scene, method }))
    .filter((trial) => !isRedirection(trial) && !isRaw(trial));
  for (let at = 0; at < trials.length; at += SIZE)
    await checkBatch(scene, trials.slice(at, at + SIZE));
  return trials;
}

async function checkBatch(
  { client, recorder }: Pick<TestContext, "client" | "recorder">,
  trials: readonly MethodTester[],
): Promise<void> {
  const [first] = trials;
  await first!.attempt("batch", async () => {
    const arrived = new Map<string, Call>();
    const sent = trials.map((trial) => {
      const given = trial.makeInput("batch", true);
      const answer = trial.makeResponse("batch");
      const { id } = trial.context.method;
      recorder.on(id, (call) => {
        arrived.set(id, call);
        return answer;
      });
      return { trial, given, answer, id };
    });
    const calls = sent.map(({ trial, given }) => trial.begin(given));
    const values = await (client as Batching).batch(calls);
    sent.forEach(({ trial, given, answer, id }, index) => {
      trial.compareCall("batch", given, arrived.get(id)!);
      trial.compare("batch response", answer, values[index]);
    });
  });
}

/**
 * Returns true for methods with bodies of any media type, which batches do not
 * support.
 */
function isRaw({ plan: { rawRequest, rawResponse } }: MethodTester): boolean {
  return rawRequest === true || rawResponse === true;
}
