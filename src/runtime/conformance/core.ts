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

export { describe, type Difference } from "./difference.js";
export type { ConformancePlan } from "./plan.js";

/** Generated code to check, and the data that the checks need. */
export interface GeneratedCode {
  readonly api: ApiDefinition;
  readonly plan: ConformancePlan;
  readonly createClient: (options: ClientSettings) => object;
  readonly createServer: (
    service: never,
    options: { readonly validateResponses: boolean },
  ) => Server;
}

/** Options for creating the generated client. */
export interface ClientSettings {
  readonly rootUrl: string;
  readonly transport: Fetch;
  readonly auth: string;
  readonly retry: false;
  /** `false`, so that requests contain only the parameters of a check. */
  readonly requestIds: false;
}

/** Check of the generated client and server. */
export interface Check {
  /** Name of the check, such as `drive.files.get in memory`. */
  readonly name: string;
  /** ID of the checked method; absent for a check of the complete API. */
  readonly method?: string;
  /**
   * Part of the request that is not checked: `body` for a method with GET,
   * because `fetch` can't send a body with GET.
   */
  readonly leavesOut?: "body";
  /**
   * Runs the check. Returns the differences between sent and received values;
   * an empty list if the check succeeds.
   */
  run(): Promise<readonly Difference[]>;
}

/** Options that select checks. */
export interface ConformanceOptions {
  /**
   * Transports with which the checks run. Default: both `memory` and `http`.
   */
  readonly transports?: readonly ("memory" | "http")[];
}

/** Access token for the checks. It is not valid for any real API. */
const TOKEN = "conformance-token";

/**
 * Returns the checks of an API. Each check tests one method, or all methods in
 * batches. It runs in memory or over `node:http`. A check compares the
 * parameters, bodies and content that the client sends with those that the
 * service receives. It also compares the responses and errors that the service
 * returns with those that the client receives. The checks share a server and
 * run sequentially.
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
  { id, httpMethod }: MethodDefinition,
): boolean {
  return plan.methods[id]?.request !== undefined && !canHaveBody(httpMethod);
}

function batchCheck(
  { methods }: ApiDefinition,
  stage: TestServer,
  where: string,
): Check {
  const run = () =>
    stage.run(async (scene) => {
      const testers = await checkBatches(scene, methods);
      return testers.flatMap(({ differences }) => differences);
    });
  return { name: `batches ${where}`, run };
}

async function checkMethod(scene: TestContext): Promise<readonly Difference[]> {
  const tester = new MethodTester(scene);
  const { rawRequest, rawResponse } = tester.plan;
  if (rawRequest === true || rawResponse === true) {
    await checkRawBodies(tester);
    await checkFailures(tester);
    return tester.differences;
  }
  await checkCalls(tester);
  await checkFailures(tester);
  await checkPages(tester);
  await checkStream(tester);
  await checkUploads(tester);
  await checkDownload(tester);
  await checkForms(tester);
  return tester.differences;
}

type Shared = Omit<TestContext, "method">;

/**
 * Server to check, and a client that calls it. Both are created on first use.
 */
class TestServer {
  readonly #subject: GeneratedCode;
  readonly #transport: Connection["name"];
  #scene: Promise<Shared> | undefined;
  /**
   * Promise of the previous check. The next check starts when this promise is
   * settled.
   */
  #last: Promise<unknown> = Promise.resolve();

  constructor(subject: GeneratedCode, transport: Connection["name"]) {
    this.#subject = subject;
    this.#transport = transport;
  }

  run<T>(task: (scene: Shared) => Promise<T>): Promise<T> {
    const next = this.#last.then(async () =>
      task(await (this.#scene ??= this.#open())),
    );
    this.#last = next.catch(() => {});
    return next;
  }

  async #open(): Promise<Shared> {
    const { api, plan, createClient, createServer } = this.#subject;
    const recorder = new Recorder(api);
    const options = { validateResponses: true };
    const server = createServer(recorder.service as never, options);
    const connection =
      this.#transport === "memory" ? inMemory(server) : await overHttp(server);
    const client = createClient({
      rootUrl: connection.rootUrl,
      transport: connection.fetch,
      auth: TOKEN,
      retry: false,
      requestIds: false,
    });
    return { api, plan, client, recorder, connection };
  }
}
