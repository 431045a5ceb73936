/* eslint-disable */
// biome-ignore-all lint: generated

import type { ApiDefinition } from "../server/contract.js";
import type { Call } from "../server/call.js";
import { setProperty } from "./parameters.js";

/** Handler that responds to a call. */
export type Responder = (call: Call) => unknown;

/** Service for tests. Its handlers can be replaced for each call. */
export class Recorder {
  /** Service object to pass to the generated server. */
  readonly service: object;
  readonly #responders = new Map<string, Responder>();

  constructor(api: ApiDefinition) {
    this.service = serviceOf(api, (call) => this.#respond(call));
  }

  /** Sets the handler of a method. */
  on(method: string, responder: Responder): void {
    this.#responders.set(method, responder);
  }

  /** Removes all handlers. */
  clear(): void {
    this.#responders.clear();
  }

  #respond(call: Call): unknown {
    const responder = this.#responders.get(call.method.id);
    if (responder === undefined)
      throw new Error(`${call.method.id} was called unexpectedly`);
    return responder(call);
  }
}

/** Node in the tree of the service object: a resource, a method, or both. */
interface ServiceNode {
  readonly children: Map<string, ServiceNode>;
  isMethod: boolean;
}

function serviceOf(api: ApiDefinition, respond: Responder): object {
  const root: ServiceNode = { children: new Map(), isMethod: false };
  for (const { at } of api.methods) nodeAt(root, at).isMethod = true;
  return objectOf(root, respond);
}

function nodeAt(root: ServiceNode, at: readonly string[]): ServiceNode {
  let node = root;
  for (const name of at) {
    let next = node.children.get(name);
    if (next === undefined) {
      next = { children: new Map(), isMethod: false };
      node.children.set(name, next);
    }
    node = next;
  }
  return node;
}

function objectOf(
  { children, isMethod }: ServiceNode,
  respond: Responder,
): object {
  const object = isMethod ? (call: Call) => respond(call) : {};
  for (const [name, child] of children)
    setProperty(
      object as Record<string, unknown>,
      name,
      objectOf(child, respond),
    );
  return object;
}
