/* eslint-disable */
// biome-ignore-all lint: generated

import { createCall } from "./call.js";
import type { Client, Descriptor } from "./contract.js";
import type { CallOptions } from "./options.js";
import type { SelectedCall, FieldsParameter } from "./selected-call.js";

/**
 * Key, for type inference only, of the member that describes a bound method;
 * used by bind.ts.
 */
export declare const BOUND: unique symbol;

/**
 * Method as a function of a client and parameters. If `fields` is a literal,
 * the type of the value has only the selected fields, and names of missing
 * fields are compile errors.
 *
 * @typeParam P parameters, including `requestBody`.
 * @typeParam C call object.
 */
export interface Method<P, C> {
  <const F extends string = string>(
    client: Client,
    parameters: P & FieldsParameter<P, C, F>,
    options?: CallOptions,
  ): SelectedCall<C, F>;
  /** Description of the method. */
  readonly descriptor: Descriptor;
  /** Member for type inference; absent at run time. */
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
  /** Description of the method. */
  readonly descriptor: Descriptor;
  /** Member for type inference; absent at run time. */
  readonly [BOUND]?: <const F extends string = string>(
    parameters?: P & FieldsParameter<P, C, F>,
    options?: CallOptions,
  ) => SelectedCall<C, F>;
}

/**
 * Creates a method. Generated code declares the type of each method, because
 * the inference of thousands of types would slow down type checking.
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
