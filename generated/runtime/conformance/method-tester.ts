/* eslint-disable */
// biome-ignore-all lint: generated

import type { Descriptor } from "../client/contract.js";
import type { ApiDefinition, MethodDefinition } from "../server/contract.js";
import type { Call } from "../server/call.js";
import { differences, type Difference } from "./difference.js";
import {
  expectedParameters,
  makeParameters,
  type Values,
} from "./parameters.js";
import type { MethodPlan, ConformancePlan } from "./plan.js";
import { randomOf } from "./random.js";
import type { Recorder } from "./recorder.js";
import type { Connection } from "./transports.js";
import { ValueMaker } from "./values.js";

/** API definition, client and service that all checks of a method use. */
export interface TestContext {
  readonly api: ApiDefinition;
  readonly plan: ConformancePlan;
  readonly method: MethodDefinition;
  /** Generated client to check. */
  readonly client: object;
  /** Service that the generated server calls. */
  readonly recorder: Recorder;
  readonly connection: Connection;
}

/**
 * Arguments of a call: parameters, keyed by their names in HTTP requests, and a
 * body.
 */
export interface CallInput {
  readonly parameters: Values;
  readonly body: unknown;
}

/** Client method, bound to its client. */
export type BoundMethod = ((
  parameters?: object,
  options?: object,
) => unknown) & {
  readonly descriptor: Descriptor;
};

/** Returns true if `fetch` can send a body with an HTTP method. */
export function canHaveBody(httpMethod: string = "GET"): boolean {
  return httpMethod !== "GET" && httpMethod !== "HEAD";
}

/** Tests one method over one connection and records differences. */
export class MethodTester {
  readonly differences: Difference[] = [];
  readonly context: TestContext;
  readonly plan: MethodPlan;

  constructor(scene: TestContext) {
    this.context = scene;
    this.plan = scene.plan.methods[scene.method.id] ?? {};
  }

  /**
   * Returns a random number generator. Its sequence depends only on the method
   * and the step, so that failures are reproducible.
   */
  random(step: string): () => number {
    return randomOf(`${this.context.method.id} ${step}`);
  }

  /**
   * Generates parameters and a body for a call. If `isBare` is true, they
   * contain only required values.
   */
  makeInput(step: string, isBare: boolean): CallInput {
    const { api, method, plan } = this.context;
    const random = this.random(step);
    const parameters = makeParameters(api, method, isBare, random);
    const { request, stream } = this.plan;
    if (
      request === undefined ||
      !canHaveBody(method.httpMethod) ||
      (isBare && !this.#needsBody())
    )
      return { parameters, body: undefined };
    const purpose = { direction: "request", method: method.id } as const;
    const maker = new ValueMaker(plan, { ...purpose, isBare }, random);
    const body = maker.value(request);
    for (const name of Object.keys(stream?.when ?? {}))
      delete (body as Record<string, unknown>)[name];
    return { parameters, body };
  }

  /**
   * Generates a response that matches the method's schema. Returns undefined if
   * the method has no response schema.
   */
  makeResponse(step: string): unknown {
    const { response } = this.plan;
    return response === undefined ? undefined : this.makeValue(response, step);
  }

  /** Generates a value that matches a response schema. */
  makeValue(type: NonNullable<MethodPlan["response"]>, step: string): unknown {
    const { method, plan } = this.context;
    const purpose = { direction: "response", method: method.id } as const;
    return new ValueMaker(plan, purpose, this.random(`${step} answer`)).value(
      type,
    );
  }

  /** Starts a call of the method with the generated client. */
  begin(
    { parameters, body }: CallInput,
    more: object = {},
    options = {},
  ): unknown {
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

  /**
   * Records the differences between the arguments of a call and the arguments
   * that the service received.
   */
  compareCall(
    step: string,
    input: CallInput,
    call: Call,
    more: object = {},
  ): void {
    const { api, method } = this.context;
    const wanted = {
      ...expectedParameters(api, method, input.parameters),
      ...more,
    };
    this.compare(`${step} parameters`, wanted, call.params);
    this.compare(`${step} body`, input.body, call.body);
  }

  /** Records the differences between two values. */
  compare(step: string, expected: unknown, got: unknown): void {
    for (const difference of differences(expected, got))
      this.differences.push({ ...this.#at(step), ...difference });
  }

  /** Runs a step. An error that the step throws is recorded as a difference. */
  async attempt(step: string, run: () => Promise<void>): Promise<void> {
    this.context.recorder.clear();
    try {
      await run();
    } catch (thrown) {
      const got = thrown instanceof Error ? thrown.message : String(thrown);
      const { body, cause } = Object(thrown) as Record<string, unknown>;
      const why = [got, body, cause].filter((one) => one !== undefined);
      const difference = {
        pointer: "",
        expected: "no error",
        got: why.join("; "),
      };
      this.differences.push({ ...this.#at(step), ...difference });
    }
  }

  #at(step: string): Pick<Difference, "method" | "transport" | "step"> {
    const { method, connection } = this.context;
    return { method: method.id, transport: connection.name, step };
  }

  #needsBody(): boolean {
    return this.context.method.body === "required";
  }

  #bound(): BoundMethod {
    const { client, method } = this.context;
    let difference: unknown = client;
    for (const name of method.at)
      difference = (difference as Record<string, unknown>)[name];
    return difference as BoundMethod;
  }
}
