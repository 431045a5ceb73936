/* eslint-disable */
// biome-ignore-all lint: generated

import {
  responseForm,
  writeResponse,
  type ResponseSettings,
  type ResponseForm,
} from "../responses/write-response.js";
import type {
  ApiDefinition,
  MethodDefinition,
  PreparedCall,
} from "../contract.js";
import { ServerCall, type AnyHandler, type Media } from "../call.js";
import type { Endpoint } from "./endpoints.js";
import { isPending, type MaybePromise } from "../maybe-promise.js";
import { streamInBatch, standardError } from "../error.js";
import { requestsEvents, writeEvents } from "../responses/events.js";
import { writeFailure } from "../responses/failure.js";
import type { ServerOptions } from "../options.js";
import type { Incoming, Outgoing } from "../request.js";

/** Calls handlers and writes their results as responses. */
export class Invoker {
  readonly #api: ApiDefinition;
  readonly #options: ServerOptions;
  readonly #settings: ResponseSettings;

  constructor(api: ApiDefinition, options: ServerOptions) {
    this.#api = api;
    this.#options = options;
    this.#settings = {
      wrap: api.wrap === true,
      validate: options.validateResponses === true,
    };
  }

  /**
   * Calls the handler of a method with decoded parameters and body.
   *
   * @throws ApiError 501 if the handler is missing, 403 if `authorize` rejects
   *   the call, or the error of the handler.
   */
  invoke(
    endpoint: Endpoint,
    request: Incoming,
    prepared: PreparedCall,
    body: unknown,
    media: Media | undefined,
  ): MaybePromise<Outgoing> {
    const { method, handler, info } = endpoint;
    const form = responseForm(prepared.form);
    if (handler === undefined)
      throw standardError(501, `${method.id} is not implemented.`);
    const wantsContent =
      method.download !== undefined &&
      (endpoint.kind === "download" || prepared.params["alt"] === "media");
    if (request.isPart === true && isUnbounded(method, wantsContent, body))
      throw streamInBatch();
    const call = new ServerCall(
      request,
      info,
      prepared,
      body,
      media,
      wantsContent,
    );
    const result =
      this.#options.authorize === undefined
        ? handler(call)
        : this.#authorized(call, handler);
    return isPending(result)
      ? result.then((value) => this.#write(value, call, method, form))
      : this.#write(result, call, method, form);
  }

  async #authorized(call: ServerCall, handler: AnyHandler): Promise<unknown> {
    if ((await this.#options.authorize!(call)) === false)
      throw standardError(403, "The caller does not have permission.");
    return handler(call);
  }

  #write(
    value: unknown,
    call: ServerCall,
    method: MethodDefinition,
    form: ResponseForm,
  ): MaybePromise<Outgoing> {
    const { stream } = method;
    return stream !== undefined && requestsEvents(stream, call.body)
      ? writeEvents(value, method, stream, this.#describe(method))
      : writeResponse(value, call, method, form, this.#settings);
  }

  /**
   * Returns a function that converts a thrown value to the body of the error
   * response.
   */
  #describe(method: MethodDefinition): (thrown: unknown) => unknown {
    return (thrown) =>
      writeFailure(thrown, this.#api, method, this.#options).body;
  }
}

/**
 * Returns true if the response is content or a stream. Such a response can
 * exceed the memory budget of a batch.
 */
function isUnbounded(
  { stream }: MethodDefinition,
  wantsContent: boolean,
  body: unknown,
): boolean {
  return wantsContent || (stream !== undefined && requestsEvents(stream, body));
}
