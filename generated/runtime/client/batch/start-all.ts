/* eslint-disable */
// biome-ignore-all lint: generated

import type { Call, CallResult, Invocation, PendingCall } from "../contract.js";

/** Adds a call to a batch at a position; resolves to the result of the call. */
export type Join = (
  call: Invocation,
  at: number,
) => Promise<CallResult<unknown>>;

/** Starts calls as parts of a batch. Returns the values of the calls. */
export function startAll(
  calls: readonly Call<unknown>[],
  join: Join,
): Promise<unknown>[] {
  return (calls as readonly PendingCall[]).map((call, at) => {
    call.taken = true;
    return call.start((own) => join(own, at)).then(({ data }) => data);
  });
}
