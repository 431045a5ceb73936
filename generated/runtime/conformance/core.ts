/* eslint-disable */
// biome-ignore-all lint: generated

import type { Fetch } from "../client/options.js";
import type { ApiDefinition, MethodDefinition } from "../server/contract.js";
import type { Server } from "../server/server.js";
import { checkBatches, hasBatches } from "./batches.js";
import { checkDownload, checkRawBodies, checkUploads } from "./media.js";
import type { Difference } from "./difference.js";
import { checkCalls, checkFailures } from "./exchanges.js";
import { checkForms } from "./forms.js";
import type { ConformancePlan } from "./plan.js";
import { Recorder } from "./recorder.js";
import { checkPages, checkStream } from "./sequences.js";
import { inMemory, overHttp, type Connection } from "./transports.js";
import {
  canHaveBody,
  MethodTester,
  type TestContext,
} from "./method-tester.js";

export { describeDifference, type Difference } from "./difference.js";
export type { ConformancePlan } from "./plan.js";

/** The generated code that is checked, and the data to check it with. */
export interface GeneratedCode {
  readonly api: ApiDefinition;
  readonly plan: ConformancePlan;
  readonly createClient: (options: ClientSettings) => object;
  readonly createServer: (
    service: never,
    options: { readonly validateAnswers: boolean },
  ) => Server;
}

/** What clients are made with. */
export interface ClientSettings {
  readonly rootUrl: string;
  readonly transport: Fetch;
  readonly auth: string;
  readonly retry: false;
}

/** Something that holds of a generated client and server, or does not. */
export interface Check {
  /** Such as `drive.files.get in memory`. */
  readonly name: string;
  /** Id of the method; absent for what concerns all. */
  readonly method?: string;
  /** What no client can send and is left out: bodies with GET. */
  readonly leavesOut?: "body";
  /** Where what arrived is not what was sent; empty if all is well. Never rejects for that. */
  run(): Promise<readonly Difference[]>;
}

/** Which checks are wanted. */
export interface ConformanceOptions {
  /** Default: both. */
  readonly transports?: readonly ("memory" | "http")[];
}

/** A credential of no use elsewhere. */
const TOKEN = "conformance-token";

/**
 * The checks of an API: for each method, in memory and over `node:http`, that
 * parameters, bodies and content that the client sends arrive as they were
 * given, that answers come back as the service gave them, and that failures
 * do too. They share a server and run one after the other.
 */
export function checksOf(
  subject: GeneratedCode,
  { transports = ["memory", "http"] }: ConformanceOptions = {},
): readonly Check[] {
  const { api } = subject;
  return transports.flatMap((transport) => {
    const stage = new TestServer(subject, transport);
    const where = transport === "memory" ? "in memory" : "over node:http";
    const checks = api.methods.map((method): Check => {
      const run = () => stage.run((scene) => checkMethod({ ...scene, method }));
      const name = `${method.id} ${where}`;
      const check: Check = { name, method: method.id, run };
      return leavesOutBody(subject, method)
        ? { ...check, leavesOut: "body" }
        : check;
    });
    if (hasBatches(api)) checks.push(batchCheck(api, stage, where));
    return checks;
  });
}

function leavesOutBody(
  { plan }: GeneratedCode,
  { id, verb }: MethodDefinition,
): boolean {
  return plan.methods[id]?.request !== undefined && !canHaveBody(verb);
}

function batchCheck(
  { methods }: ApiDefinition,
  stage: TestServer,
  where: string,
): Check {
  const run = () =>
    stage.run(async (scene) => {
      const trials = await checkBatches(scene, methods);
      return trials.flatMap(({ differences }) => differences);
    });
  return { name: `batches ${where}`, run };
}

async function checkMethod(scene: TestContext): Promise<readonly Difference[]> {
  const trial = new MethodTester(scene);
  const { rawRequest, rawResponse } = trial.plan;
  if (rawRequest === true || rawResponse === true) {
    await checkRawBodies(trial);
    await checkFailures(trial);
    return trial.differences;
  }
  await checkCalls(trial);
  await checkFailures(trial);
  await checkPages(trial);
  await checkStream(trial);
  await checkUploads(trial);
  await checkDownload(trial);
  await checkForms(trial);
  return trial.differences;
}

type Shared = Omit<TestContext, "method">;

/** A server and a client of it, made when they are needed first. */
class TestServer {
  readonly #subject: GeneratedCode;
  readonly #transport: Connection["name"];
  #scene: Promise<Shared> | undefined;
  /** What runs; each check waits for the one before. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(subject: GeneratedCode, transport: Connection["name"]) {
    this.#subject = subject;
    this.#transport = transport;
  }

  run<T>(work: (scene: Shared) => Promise<T>): Promise<T> {
    const next = this.#last.then(async () =>
      work(await (this.#scene ??= this.#open())),
    );
    this.#last = next.catch(() => {});
    return next;
  }

  async #open(): Promise<Shared> {
    const { api, plan, createClient, createServer } = this.#subject;
    const recorder = new Recorder(api);
    const options = { validateAnswers: true };
    const server = createServer(recorder.service as never, options);
    const connection =
      this.#transport === "memory" ? inMemory(server) : await overHttp(server);
    const client = createClient({
      rootUrl: connection.rootUrl,
      transport: connection.fetch,
      auth: TOKEN,
      retry: false,
    });
    return { api, plan, client, recorder, connection };
  }
}
