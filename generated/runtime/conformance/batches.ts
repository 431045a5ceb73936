/* eslint-disable */
// biome-ignore-all lint: generated

import type { ApiDefinition, MethodDefinition } from "../server/contract.js";
import type { Call } from "../server/call.js";
import { isRedirection } from "./exchanges.js";
import { MethodTester, type TestContext } from "./method-tester.js";

/** Calls in one batch. */
const SIZE = 50;

/** What the client has for batches. */
interface Batching {
  batch(calls: readonly unknown[]): Promise<readonly unknown[]>;
}

/** Whether an API takes batches, and its client has the method for them. */
export function hasBatches({ batchPath, methods }: ApiDefinition): boolean {
  const isTaken = methods.some(({ at }) => /^batch(Settled)?$/.test(at[0]!));
  return batchPath !== undefined && !isTaken;
}

/** Every method as a part of a batch. */
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
      trial.compare("batch answer", answer, values[index]);
    });
  });
}

/** Content of any type is no part of a batch. */
function isRaw({ plan: { rawRequest, rawResponse } }: MethodTester): boolean {
  return rawRequest === true || rawResponse === true;
}
