import {
  eventStream,
  isBodyRequired,
  requestForm,
  responseForm,
} from "../../model/bodies.js";
import type { Method } from "../../model/ir.js";
import {
  generic,
  named,
  type TypeTree,
} from "../../render/typescript/types.js";
import { bodyType, typeOf, type TypeNames } from "../shared/types.js";
import type { ServerFile } from "./server-file.js";

/**
 * Builds the types of handlers from the types of their parameters, bodies,
 * results and response headers.
 */
export class HandlerTypes {
  readonly #file: ServerFile;

  constructor(file: ServerFile) {
    this.#file = file;
  }

  /**
   * Returns the type of a method's handler.
   *
   * @param parameters name of the interface for the parameters
   * @param headers name of the interface for the response headers
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

  /**
   * Returns the type of a handler's result: a URL for a redirect, otherwise the
   * response body or an iterable of events.
   */
  #result(method: Method, types: TypeNames): TypeTree {
    switch (responseForm(method)) {
      case "redirect":
        return named("string");
      case "content":
        return named(this.#file.type("Content"));
      case "none":
        return this.#orEvents(named("void"), method, types);
      case "json":
        return this.#orEvents(
          typeOf(method.response!, "output", types),
          method,
          types,
        );
    }
  }

  #orEvents(value: TypeTree, method: Method, types: TypeNames): TypeTree {
    const events = eventStream(method);
    if (events === undefined) return value;
    const event = typeOf(events.element, "output", types);
    return { kind: "union", of: [value, generic("AsyncIterable", event)] };
  }

  #body(method: Method): TypeTree {
    const form = requestForm(method);
    if (form === "none") return named("undefined");
    if (form === "content") return named(this.#file.type("Media"));
    const type = bodyType(
      method.request!,
      method.httpMethod === "PATCH" ? "Patch" : undefined,
      method.requiredMembers ?? [],
      this.#file.types(),
      (helper) => this.#file.shared.runtimeType(helper),
    );
    return isBodyRequired(method)
      ? type
      : { kind: "union", of: [type, named("undefined")] };
  }
}

/** Returns the name of the runtime's handler type that applies to a method. */
function kindOf({ download, links }: Method): string {
  if (download !== undefined) return "DownloadHandler";
  return links === undefined ? "Handler" : "PagedHandler";
}
