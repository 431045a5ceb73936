/* eslint-disable */
// biome-ignore-all lint: generated

import type {
  CallResult,
  Client,
  Descriptor,
  Invocation,
  PendingCall,
  Run,
} from "./contract.js";
import { execute } from "./execute.js";
import type { CallOptions } from "./options.js";
import { withAuth } from "./send.js";
import type { SelectedCall, FieldsParameter } from "./selected-call.js";

/**
 * Key of a type-only property, from which bind.ts infers the type of a bound
 * method.
 */
export declare const BOUND: unique symbol;

/**
 * API method as a function of a client and parameters. If the parameter
 * `fields` is a string literal, the result type contains only the selected
 * fields, and a field name that the schema does not declare causes a compile
 * error.
 *
 * @typeParam P parameters, including `requestBody`.
 * @typeParam C type of the returned call, such as `Call<File>`.
 */
export interface Method<P, C> {
  <const F extends string = string>(
    client: Client,
    parameters: P & FieldsParameter<P, C, F>,
    options?: CallOptions,
  ): SelectedCall<C, F>;
  /** Descriptor of the API method. */
  readonly descriptor: Descriptor;
  /** Used only for type inference; absent at run time. */
  readonly [BOUND]?: <const F extends string = string>(
    parameters: P & FieldsParameter<P, C, F>,
    options?: CallOptions,
  ) => SelectedCall<C, F>;
}

/** {@link Method} that can be called without parameters. */
export interface OptionalMethod<P, C> {
  <const F extends string = string>(
    client: Client,
    parameters?: P & FieldsParameter<P, C, F>,
    options?: CallOptions,
  ): SelectedCall<C, F>;
  /** Descriptor of the API method. */
  readonly descriptor: Descriptor;
  /** Used only for type inference; absent at run time. */
  readonly [BOUND]?: <const F extends string = string>(
    parameters?: P & FieldsParameter<P, C, F>,
    options?: CallOptions,
  ) => SelectedCall<C, F>;
}

/**
 * Creates the function for an API method. Generated code declares the type of
 * each function, because inferring thousands of types would slow down type
 * checking.
 */
/* @__NO_SIDE_EFFECTS__ */
// oxlint-disable-next-line typescript/no-explicit-any -- callers set the type
export function method(descriptor: Descriptor): any {
  const call = (client: Client, parameters?: object, options?: CallOptions) =>
    createCall(client, descriptor, parameters, options);
  return Object.assign(call, { descriptor });
}

/**
 * Creates the object that represents one call of a method. The functions in the
 * descriptor's list `use` add members such as `pages()`.
 */
export function createCall(
  client: Client,
  descriptor: Descriptor,
  parameters: object | undefined,
  options: CallOptions = {},
): PendingCall {
  const invocation: Invocation = {
    client: withAuth(client, options.auth),
    descriptor,
    parameters: { ...parameters },
    options,
  };
  let result: Promise<CallResult<unknown>> | undefined;
  const value = () => call.start().then(({ data }) => data);
  // Calls have no Symbol.toStringTag, which promises have only for debuggers.
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
