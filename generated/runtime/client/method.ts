import { createCall } from "./call.js";
import type { CallOptions, Client } from "./client.js";
import type { Descriptor } from "./service.js";

/**
 * A method as a function of a client and its parameters.
 *
 * @typeParam P parameters, including `requestBody`.
 * @typeParam C the call object that it gives.
 */
export interface Method<P, C> {
  (client: Client, parameters: P, options?: CallOptions): C;
  /** What the runtime knows of the method. */
  readonly descriptor: Descriptor;
}

/** A {@link Method} that can be called without parameters. */
export interface OptionalMethod<P, C> {
  (client: Client, parameters?: P, options?: CallOptions): C;
  /** What the runtime knows of the method. */
  readonly descriptor: Descriptor;
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
