/* eslint-disable */
// biome-ignore-all lint: generated

import type { CallResult, Invocation, PendingCall, Run } from "./contract.js";
import { execute } from "./execute.js";

/**
 * Creates the object that represents one call of a method. The functions in the
 * descriptor's list `use` add members such as `pages()`.
 */
export function createCall(invocation: Invocation): PendingCall {
  let result: Promise<CallResult<unknown>> | undefined;
  const value = () => call.start().then(({ data }) => data);
  // The property Symbol.toStringTag of promises is omitted, to save bytes.
  const call: Omit<PendingCall, typeof Symbol.toStringTag> = {
    taken: false,
    start: (run: Run = execute) => (result ??= run(invocation)),
    withResponse: () => call.start(),
    // oxlint-disable-next-line unicorn/no-thenable -- the object is a promise
    then: (onValue, onError) => value().then(onValue, onError),
    catch: (onError) => value().catch(onError),
    finally: (onEnd) => value().finally(onEnd),
  };
  queueMicrotask(() => call.taken || call.start());
  for (const feature of invocation.descriptor.use ?? [])
    Object.assign(call, feature(call as PendingCall, invocation));
  return call as PendingCall;
}
