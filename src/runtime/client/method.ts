import { createCall } from "./call.js";
import type { Client, Descriptor } from "./contract.js";
import type { CallOptions } from "./options.js";
import type { SelectedCall, FieldsParameter } from "./selected-call.js";

/** Where methods tell the types of bind.ts how they look bound; none has it. */
export declare const BOUND: unique symbol;

/**
 * A method as a function of a client and its parameters. Where `fields` is a
 * literal, the value has those fields alone, and must have them.
 *
 * @typeParam P parameters, including `requestBody`.
 * @typeParam C the call object that it gives.
 */
export interface Method<P, C> {
  <const F extends string = string>(
    client: Client,
    parameters: P & FieldsParameter<P, C, F>,
    options?: CallOptions,
  ): SelectedCall<C, F>;
  /** What the runtime knows of the method. */
  readonly descriptor: Descriptor;
  /** For types alone. */
  readonly [BOUND]?: <const F extends string = string>(
    parameters: P & FieldsParameter<P, C, F>,
    options?: CallOptions,
  ) => SelectedCall<C, F>;
}

/** A {@link Method} that can be called without parameters. */
export interface OptionalMethod<P, C> {
  <const F extends string = string>(
    client: Client,
    parameters?: P & FieldsParameter<P, C, F>,
    options?: CallOptions,
  ): SelectedCall<C, F>;
  /** What the runtime knows of the method. */
  readonly descriptor: Descriptor;
  /** For types alone. */
  readonly [BOUND]?: <const F extends string = string>(
    parameters?: P & FieldsParameter<P, C, F>,
    options?: CallOptions,
  ) => SelectedCall<C, F>;
}

/**
 * Makes a method. Its type is that of the constant that it is assigned to,
 * taken at its word: thousands of these are checked in one program.
 */
/* @__NO_SIDE_EFFECTS__ */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export function method(descriptor: Descriptor): any {
  const call = (
    client: Client,
    parameters: object = {},
    options: CallOptions = {},
  ) =>
    createCall({ client, descriptor, parameters: { ...parameters }, options });
  return Object.assign(call, { descriptor });
}
