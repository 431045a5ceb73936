/* eslint-disable */
// biome-ignore-all lint: generated

import { createCall } from "./call.js";
import type { Client, Descriptor } from "./contract.js";
import type { CallOptions } from "./options.js";
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
  const call = (
    client: Client,
    parameters?: object,
    options: CallOptions = {},
  ) =>
    createCall({ client, descriptor, parameters: { ...parameters }, options });
  return Object.assign(call, { descriptor });
}
