import type { Definition, Method } from "../../model/ir.js";
import { requiredFields } from "../../model/queries.js";
import {
  generic,
  named,
  type TypeTree,
} from "../../render/typescript/types.js";
import { bodyType, typeOf, type TypeNames } from "../shared/types.js";
import type { ServerFile } from "./context.js";

/** Makes the types of handlers: what they are given and what they answer with. */
export class HandlerTypes {
  readonly #file: ServerFile;
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #trustProse: boolean;

  constructor(
    file: ServerFile,
    definitions: readonly Definition[],
    trustProse: boolean,
  ) {
    this.#file = file;
    this.#trustProse = trustProse;
    this.#definitions = new Map(definitions.map((one) => [one.id, one]));
  }

  /**
   * The type of a method's handler.
   *
   * @param parameters name of the interface of its parameters.
   * @param headers name of the interface of its answer's headers.
   */
  of(
    method: Method,
    parameters: string,
    headers: string | undefined,
  ): TypeTree {
    return generic(
      this.#file.type(kindOf(method)),
      named(parameters),
      this.#body(method),
      this.#result(method, this.#file.types()),
      named("Auth"),
      ...(headers === undefined ? [] : [named(headers)]),
    );
  }

  /** The value, or the events of a stream; for a redirection, where to. */
  #result(method: Method, types: TypeNames): TypeTree {
    const { response, stream, redirects } = method;
    if (redirects === true) return named("string");
    if (method.rawResponse === true) return named(this.#file.type("Content"));
    const value =
      response === undefined
        ? named("void")
        : typeOf(response, "output", types);
    if (stream?.format !== "events") return value;
    const event = typeOf(stream.element, "output", types);
    return { kind: "union", of: [value, generic("AsyncIterable", event)] };
  }

  #body(method: Method): TypeTree {
    if (method.request === undefined) return named("undefined");
    if (method.rawRequest === true) return named(this.#file.type("Media"));
    const required = requiredFields(
      method,
      this.#definitions,
      this.#trustProse,
    ).map(({ name }) => name);
    const type = bodyType(
      method.request,
      method.httpMethod === "PATCH" ? "Patch" : undefined,
      required,
      this.#file.types(),
      (helper) => this.#file.shared.runtimeType(helper),
    );
    return required.length > 0 && method.upload === undefined
      ? type
      : { kind: "union", of: [type, named("undefined")] };
  }
}

/** Name of the runtime's type for handlers of its kind. */
function kindOf({ download, links }: Method): string {
  if (download !== undefined) return "DownloadHandler";
  return links === undefined ? "Handler" : "PagedHandler";
}
