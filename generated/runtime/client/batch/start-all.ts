/* eslint-disable */
// biome-ignore-all lint: generated

import type { Call, CallResult, Invocation, PendingCall } from "../contract.js";

/**
 * Function that adds a call to a batch. `at` is the index of the call in the
 * batch. Resolves to the result of the call.
 */
export type Join = (
  call: Invocation,
  at: number,
) => Promise<CallResult<unknown>>;

/**
 * Starts calls as parts of a batch. Returns a list of promises, one for the
 * value of each call.
 */
export function startAll(
  calls: readonly Call<unknown>[],
  join: Join,
): Promise<unknown>[] {
  return (calls as readonly PendingCall[]).map((call, at) => {
    call.taken = true;
    return call.start((own) => join(own, at)).then(({ data }) => data);
  });
}
