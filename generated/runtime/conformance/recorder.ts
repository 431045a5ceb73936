/* eslint-disable */
// biome-ignore-all lint: generated

import type { ApiDefinition } from "../server/contract.js";
import type { Call } from "../server/call.js";
import { setProperty } from "./parameters.js";

/** What answers a call in the place of a service. */
export type Responder = (call: Call) => unknown;

/** A service whose handlers are told for each call what to do. */
export class Recorder {
  /** For the server to be made of. */
  readonly service: object;
  readonly #responders = new Map<string, Responder>();

  constructor(api: ApiDefinition) {
    this.service = serviceOf(api, (call) => this.#answer(call));
  }

  /** Answers the calls of a method from now on. */
  on(method: string, responder: Responder): void {
    this.#responders.set(method, responder);
  }

  /** Answers no calls any more. */
  clear(): void {
    this.#responders.clear();
  }

  #answer(call: Call): unknown {
    const responder = this.#responders.get(call.method.id);
    if (responder === undefined)
      throw new Error(`${call.method.id} was called by mistake`);
    return responder(call);
  }
}

/** A place of the service: a resource, a method, or both in one. */
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
