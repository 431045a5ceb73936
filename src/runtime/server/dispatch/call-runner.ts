import type {
  ApiDefinition,
  MethodDefinition,
  PreparedCall,
} from "../contract.js";
import {
  bodySettings,
  readBody,
  readForm,
  type BodySettings,
} from "../bodies/json-body.js";
import type { Media, Credential } from "../call.js";
import type { Endpoint } from "./endpoints.js";
import type { MaybePromise } from "../maybe-promise.js";
import { standardError } from "../error.js";
import { Invoker } from "./invoker.js";
import { authenticate, requiredCredential } from "./hooks.js";
import type { ServerOptions } from "../options.js";
import { ParameterReader } from "../parameters/parameter-reader.js";
import { readQuery } from "../parameters/query.js";
import type { Incoming, Outgoing } from "../request.js";
import type { RouteMatch } from "../routing/router.js";
import type { UploadSession } from "../uploads/contract.js";

/** Query parameters of the upload protocol, which no document declares. */
const UPLOAD_PARAMETERS: ReadonlySet<string> = new Set([
  "uploadType",
  "upload_protocol",
  "upload_id",
]);

const NO_PARAMETERS: ReadonlySet<string> = new Set();

/**
 * Processes a request whose route is known: reads the parameters and the body,
 * authenticates the caller, and calls the handler.
 */
export class CallRunner {
  readonly #api: ApiDefinition;
  readonly #endpoints: readonly Endpoint[];
  readonly #options: ServerOptions;
  readonly #invoker: Invoker;
  readonly #bodies: BodySettings;

  constructor(
    api: ApiDefinition,
    endpoints: readonly Endpoint[],
    options: ServerOptions,
  ) {
    this.#api = api;
    this.#endpoints = endpoints;
    this.#options = options;
    this.#bodies = bodySettings(options);
    this.#invoker = new Invoker(api, options);
  }

  /** Processes a request that matches a route. */
  run(
    match: RouteMatch<Endpoint>,
    request: Incoming,
    query: string,
    isOverride: boolean,
  ): MaybePromise<Outgoing> {
    const endpoint = match.target;
    const { kind } = endpoint;
    if (kind === "session" && !/(?:^|&)upload_id=/.test(query))
      return this.#notUpload();
    const reader = this.#read(match, request, query);
    if (kind === "upload" || kind === "session")
      return this.#upload(endpoint, request, reader, query);
    return this.#call(endpoint, request, reader, isOverride);
  }

  #notUpload(): never {
    throw standardError(405, "The path accepts only uploads.", {
      headers: { allow: "POST, PUT, PATCH" },
    });
  }

  /**
   * Reads the parameters in path, query and headers. Invalid parameters are
   * collected and reported later, by `finish`.
   */
  #read(
    match: RouteMatch<Endpoint>,
    request: Incoming,
    query: string,
  ): ParameterReader {
    const { parameters, kind } = match.target;
    const { unknownParameters, unknownEnums } = this.#options;
    const isUpload = kind === "upload" || kind === "session";
    const undeclared = isUpload ? UPLOAD_PARAMETERS : NO_PARAMETERS;
    const reader = new ParameterReader(
      parameters,
      unknownParameters === "reject" ? undeclared : undefined,
      unknownEnums === "accept",
    );
    const { captures } = match.template;
    for (let index = 0; index < captures.length; index++)
      reader.path(captures[index]!, match.values[index]!);
    if (query !== "") reader.query(query);
    if (parameters.headers.length > 0) reader.headers(request);
    return reader;
  }

  #call(
    endpoint: Endpoint,
    request: Incoming,
    reader: ParameterReader,
    isOverride: boolean,
  ): MaybePromise<Outgoing> {
    const { method } = endpoint;
    if (isOverride || method.forms !== undefined || this.#isGuarded(method))
      return this.#callAsync(endpoint, request, reader, isOverride);
    const prepared = finish(reader, method, undefined, undefined);
    if (method.body === undefined)
      return this.#invoker.invoke(
        endpoint,
        request,
        prepared,
        undefined,
        undefined,
      );
    return this.#withBody(endpoint, request, prepared);
  }

  #isGuarded(method: MethodDefinition): boolean {
    const { authenticate, rateLimit } = this.#options;
    return (
      method.credential !== undefined ||
      authenticate !== undefined ||
      rateLimit !== undefined
    );
  }

  /**
   * Runs a call that must wait for hooks, or whose parameters can be in the
   * body.
   */
  async #callAsync(
    endpoint: Endpoint,
    request: Incoming,
    reader: ParameterReader,
    isOverride: boolean,
  ): Promise<Outgoing> {
    const { method } = endpoint;
    if (isOverride || method.forms !== undefined)
      await readForm(request, method, reader, this.#bodies);
    const prepared = await this.#prepare(endpoint, request, reader);
    return method.body === undefined
      ? this.#invoker.invoke(endpoint, request, prepared, undefined, undefined)
      : this.#withBody(endpoint, request, prepared);
  }

  #withBody(
    endpoint: Endpoint,
    request: Incoming,
    prepared: PreparedCall,
  ): MaybePromise<Outgoing> {
    const media = endpoint.method.raw?.(request, this.#options);
    if (media !== undefined)
      return this.#invoker.invoke(endpoint, request, prepared, media, media);
    const wrap = this.#api.wrap === true;
    const next = (body: unknown): MaybePromise<Outgoing> =>
      this.#invoker.invoke(endpoint, request, prepared, body, undefined);
    return readBody(request, endpoint.method, wrap, this.#bodies, next);
  }

  async #prepare(
    endpoint: Endpoint,
    request: Incoming,
    reader: ParameterReader,
  ): Promise<PreparedCall> {
    const { credential: rules } = endpoint.method;
    const credential = rules && requiredCredential(rules, request);
    const options = this.#options;
    const isGuarded =
      options.authenticate !== undefined || options.rateLimit !== undefined;
    const auth = isGuarded
      ? await authenticate(
          endpoint.info,
          request,
          reader.values,
          options,
          credential,
        )
      : undefined;
    return finish(reader, endpoint.method, auth, credential);
  }

  #upload(
    endpoint: Endpoint,
    request: Incoming,
    reader: ParameterReader,
    query: string,
  ): Promise<Outgoing> {
    const members = new Map<string, string>();
    readQuery(query, { add: (name, value) => members.set(name, value) });
    return this.#api.uploads!({
      request,
      method: endpoint.method,
      query: members,
      options: this.#options,
      prepare: () => this.#prepare(endpoint, request, reader),
      invoke: async (prepared, body, media) =>
        this.#invoker.invoke(endpoint, request, prepared, body, media),
      resume: (session, media) => this.#resume(session, request, media),
    });
  }

  /**
   * Calls the handler for a resumable upload that an earlier request started.
   */
  async #resume(
    session: UploadSession,
    request: Incoming,
    media: Media,
  ): Promise<Outgoing> {
    const endpoint = this.#endpoints.find(
      ({ method }) => method.id === session.method,
    );
    if (endpoint === undefined)
      throw standardError(404, "The upload is unknown or has expired.");
    const prepared = { ...session, credential: undefined };
    return this.#invoker.invoke(
      endpoint,
      request,
      prepared,
      session.body,
      media,
    );
  }
}

/**
 * Returns the decoded parameters. `fields` and `prettyPrint` are read before
 * default values are added, because the default value of `prettyPrint` does not
 * apply to responses.
 */
function finish(
  reader: ParameterReader,
  { invalidInput }: MethodDefinition,
  auth: unknown,
  credential: Credential | undefined,
): PreparedCall {
  const { fields, prettyPrint } = reader.values;
  const form =
    fields === undefined && prettyPrint === undefined
      ? PLAIN
      : { fields, prettyPrint };
  return { auth, credential, form, params: reader.finish(invalidInput) };
}

const PLAIN: PreparedCall["form"] = {};
