import type { Descriptor } from "../client/contract.js";
import type { Api, Method } from "../server/api.js";
import type { Call } from "../server/call.js";
import { differences, type Difference } from "./difference.js";
import { arriving, makeParameters, type Values } from "./parameters.js";
import type { MethodPlan, Plan } from "./plan.js";
import { randomOf } from "./random.js";
import type { Recorder } from "./recorder.js";
import type { Connection } from "./transports.js";
import { Maker } from "./values.js";

/** What the checks of a method work with. */
export interface Scene {
  readonly api: Api;
  readonly plan: Plan;
  readonly method: Method;
  /** The generated client. */
  readonly client: object;
  /** The service behind the generated server. */
  readonly recorder: Recorder;
  readonly connection: Connection;
}

/** A call as a caller gives it: parameters by their wire names, and a body. */
export interface Given {
  readonly parameters: Values;
  readonly body: unknown;
}

/** A method of the client, bound. */
export type Bound = ((parameters?: object, options?: object) => unknown) & {
  readonly descriptor: Descriptor;
};

/** Whether `fetch` sends a body with an HTTP method. */
export function canHaveBody(verb: string = "GET"): boolean {
  return verb !== "GET" && verb !== "HEAD";
}

/** One method over one connection: makes calls, compares, and notes what differs. */
export class Trial {
  readonly found: Difference[] = [];
  readonly scene: Scene;
  readonly plan: MethodPlan;

  constructor(scene: Scene) {
    this.scene = scene;
    this.plan = scene.plan.methods[scene.method.id] ?? {};
  }

  /** Numbers that depend on the method and the step alone. */
  random(step: string): () => number {
    return randomOf(`${this.scene.method.id} ${step}`);
  }

  /** Parameters and a body; `isBare`: only what a call must have. */
  given(step: string, isBare: boolean): Given {
    const { api, method, plan } = this.scene;
    const random = this.random(step);
    const parameters = makeParameters(api, method, isBare, random);
    const { request, stream } = this.plan;
    if (
      request === undefined ||
      !canHaveBody(method.verb) ||
      (isBare && !this.#needsBody())
    )
      return { parameters, body: undefined };
    const purpose = { direction: "request", method: method.id } as const;
    const maker = new Maker(plan, { ...purpose, isBare }, random);
    const body = maker.value(request);
    for (const name of Object.keys(stream?.when ?? {}))
      delete (body as Record<string, unknown>)[name];
    return { parameters, body };
  }

  /** An answer that fits the method's schema; undefined where it has none. */
  answer(step: string): unknown {
    const { response } = this.plan;
    return response === undefined ? undefined : this.value(response, step);
  }

  /** A value of a schema, as the service gives it. */
  value(type: NonNullable<MethodPlan["response"]>, step: string): unknown {
    const { method, plan } = this.scene;
    const purpose = { direction: "answer", method: method.id } as const;
    return new Maker(plan, purpose, this.random(`${step} answer`)).value(type);
  }

  /** Begins a call of the client. */
  begin({ parameters, body }: Given, more: object = {}, options = {}): unknown {
    const bound = this.#bound();
    const { names = {} } = bound.descriptor;
    const properties = new Map(
      Object.entries(names).map(([property, wire]) => [wire, property]),
    );
    const own = Object.entries(parameters).map(
      ([wire, value]) => [properties.get(wire) ?? wire, value] as const,
    );
    const requestBody = body === undefined ? {} : { requestBody: body };
    const all = { ...Object.fromEntries(own), ...requestBody, ...more };
    return bound(all, options);
  }

  /** Notes where a call that arrived is not the one that was given. */
  compareCall(step: string, given: Given, call: Call, more: object = {}): void {
    const { api, method } = this.scene;
    const wanted = { ...arriving(api, method, given.parameters), ...more };
    this.compare(`${step} parameters`, wanted, call.params);
    this.compare(`${step} body`, given.body, call.body);
  }

  /** Notes where two values differ. */
  compare(step: string, expected: unknown, got: unknown): void {
    for (const place of differences(expected, got))
      this.found.push({ ...this.#at(step), ...place });
  }

  /** Does the work of a step; what it throws is a difference. */
  async attempt(step: string, work: () => Promise<void>): Promise<void> {
    this.scene.recorder.clear();
    try {
      await work();
    } catch (thrown) {
      const got = thrown instanceof Error ? thrown.message : String(thrown);
      const { body, cause } = Object(thrown) as Record<string, unknown>;
      const why = [got, body, cause].filter((one) => one !== undefined);
      const place = { pointer: "", expected: "no error", got: why.join("; ") };
      this.found.push({ ...this.#at(step), ...place });
    }
  }

  #at(step: string): Pick<Difference, "method" | "transport" | "step"> {
    const { method, connection } = this.scene;
    return { method: method.id, transport: connection.name, step };
  }

  #needsBody(): boolean {
    return this.scene.method.body === "required";
  }

  #bound(): Bound {
    const { client, method } = this.scene;
    let place: unknown = client;
    for (const name of method.at)
      place = (place as Record<string, unknown>)[name];
    return place as Bound;
  }
}
