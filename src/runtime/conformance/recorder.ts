import type { ApiDefinition } from "../server/contract.js";
import type { Call } from "../server/call.js";
import { setProperty } from "./parameters.js";

/** Handles the calls of a method. */
export type Responder = (call: Call) => unknown;

/** Service whose handlers are set separately for each call. */
export class Recorder {
  /** Service object for the generated server. */
  readonly service: object;
  readonly #responders = new Map<string, Responder>();

  constructor(api: ApiDefinition) {
    this.service = serviceOf(api, (call) => this.#answer(call));
  }

  /** Sets the handler of a method. */
  on(method: string, responder: Responder): void {
    this.#responders.set(method, responder);
  }

  /** Removes all handlers. */
  clear(): void {
    this.#responders.clear();
  }

  #answer(call: Call): unknown {
    const responder = this.#responders.get(call.method.id);
    if (responder === undefined)
      throw new Error(`${call.method.id} was called unexpectedly`);
    return responder(call);
  }
}

/** Node of the service: a resource, a method, or both. */
interface Place {
  readonly children: Map<string, Place>;
  isMethod: boolean;
}

function serviceOf(api: ApiDefinition, answer: Responder): object {
  const root: Place = { children: new Map(), isMethod: false };
  for (const { at } of api.methods) placeAt(root, at).isMethod = true;
  return objectOf(root, answer);
}

function placeAt(root: Place, at: readonly string[]): Place {
  let place = root;
  for (const name of at) {
    let next = place.children.get(name);
    if (next === undefined) {
      next = { children: new Map(), isMethod: false };
      place.children.set(name, next);
    }
    place = next;
  }
  return place;
}

function objectOf({ children, isMethod }: Place, answer: Responder): object {
  const object = isMethod ? (call: Call) => answer(call) : {};
  for (const [name, child] of children)
    setProperty(
      object as Record<string, unknown>,
      name,
      objectOf(child, answer),
    );
  return object;
}
