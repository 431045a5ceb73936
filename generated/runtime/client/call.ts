/* eslint-disable */
// biome-ignore-all lint: generated

import type { CallOptions, Client } from "./client.js";
import { execute, type Answer } from "./execute.js";
import type { Descriptor } from "./service.js";

/** Where call objects tell the types of narrow.ts what they are; none has it. */
export declare const SHAPE: unique symbol;

/**
 * A call under way, a promise of its value. It is sent in the next microtask,
 * awaited or not, unless a modifier has chosen another form by then.
 *
 * @throws ApiError (as rejection), whatever goes wrong.
 */
export interface Call<T> extends Promise<T> {
  /** For types alone. */
  readonly [SHAPE]?: { value: T };
  /**
   * The value with the response it came in, whose body has been read: this is
   * for status and headers. Shares the one request of the call.
   */
  withResponse(): Promise<Answer<T>>;
}

/** Everything that one call needs. */
export interface Invocation {
  /** The API and its settings. */
  readonly client: Client;
  /** The method. */
  readonly descriptor: Descriptor;
  /** A copy of the caller's parameters. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The caller's settings for this call. */
  readonly options: CallOptions;
  /** Parameters that ask for the media. Default: `alt=media`. */
  readonly media?: object;
}

/** Sends a call: alone, or as a part of a batch. */
export type Run = (invocation: Invocation) => Promise<Answer<unknown>>;

/** The call object as features and batches see it. */
export interface PendingCall extends Call<unknown> {
  /** Set to keep the call from starting by itself. */
  taken: boolean;
  /**
   * Starts the call, once; whoever comes first says how. Features may replace
   * it, to send in another way when nobody says how.
   */
  start(run?: Run): Promise<Answer<unknown>>;
}

/**
 * Gives a call object members beyond those of {@link Call}. It may change the
 * invocation, which is the call's own, for the features after it too.
 */
export type Feature = (call: PendingCall, invocation: Invocation) => object;

/** Makes a call object with the features of its method. */
export function createCall(invocation: Invocation): PendingCall {
  let answer: Promise<Answer<unknown>> | undefined;
  const value = () => call.start().then(({ data }) => data);
  // All of a promise but its Symbol.toStringTag, which nobody reads.
  const call: Omit<PendingCall, typeof Symbol.toStringTag> = {
    taken: false,
    start: (run: Run = execute) => (answer ??= run(invocation)),
    withResponse: () => call.start(),
    // oxlint-disable-next-line unicorn/no-thenable -- it is a promise
    then: (onValue, onError) => value().then(onValue, onError),
    catch: (onError) => value().catch(onError),
    finally: (onEnd) => value().finally(onEnd),
  };
  queueMicrotask(() => {
    if (!call.taken) call.start();
  });
  for (const feature of invocation.descriptor.use ?? [])
    Object.assign(call, feature(call as PendingCall, invocation));
  return call as PendingCall;
}
