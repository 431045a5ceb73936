import { parseJson } from "../runtime/server/bodies/read.js";
import { ApiError } from "../runtime/server/error.js";
import type { Incoming, Outgoing } from "../runtime/server/request.js";
import { isLoopback } from "../platform/host-names.js";
import { isJsonObject } from "./conform.js";
import type { Control, Fault } from "./control.js";
import { DataError, type MockData } from "./data.js";

/** Path below which a mock is controlled over HTTP. */
const ROOT = "/__mock/";

/** Maximum size in bytes of a request that controls a mock. */
const MAX_BODY = 64 * 1024 * 1024;

/**
 * Maximum nesting depth: a resource of 100 levels, as in request bodies, in a
 * list of a collection of an API.
 */
const MAX_DEPTH = 104;

/** Maximum milliseconds for receiving such a request. */
const BODY_TIME = 60_000;

export function isControlPath(target: string): boolean {
  return target.startsWith(ROOT);
}

/** Mock that can be controlled. */
interface ControlledMock {
  readonly control: Control;
  state(): MockData;
  load(data: MockData): void;
  reset(): void;
}

type Action = (
  fake: ControlledMock,
  request: Incoming,
  query: URLSearchParams,
) => unknown;

/**
 * Actions, keyed by method and path. The result is the JSON body of the
 * response; `undefined` results in 204.
 */
const ACTIONS: Readonly<Record<string, Action>> = {
  "GET requests": ({ control }, _, query) => ({
    requests: control.requests(query.get("method") ?? undefined),
  }),
  "DELETE requests": ({ control }) => control.clearRequests(),
  "POST faults": async ({ control }, request) => {
    const body = await readJson(request);
    const faults: unknown[] = Array.isArray(body) ? body : [body];
    control.fail(...faults.map((fault) => Object(fault) as Fault));
  },
  "GET state": (fake) => fake.state(),
  "PUT state": async (fake, request) => {
    const body = await readJson(request);
    if (!isJsonObject(body)) throw new DataError("the body must be an object");
    fake.load(body);
  },
  "POST reset": (fake) => fake.reset(),
};

/** Handles a request that controls the mock. Never rejects. */
export async function handleControl(
  fake: ControlledMock,
  request: Incoming,
): Promise<Outgoing> {
  const refusal = refusalOf(request);
  if (refusal !== undefined) return failure(403, refusal);
  const [path = "", query = ""] = request.target.split("?", 2);
  const name = path.slice(ROOT.length);
  const key = `${request.method} ${name}`;
  const action = Object.hasOwn(ACTIONS, key) ? ACTIONS[key]! : undefined;
  if (action === undefined)
    return failure(404, `${ROOT} supports ${Object.keys(ACTIONS).join(", ")}.`);
  try {
    const result = await action(fake, request, new URLSearchParams(query));
    return result === undefined
      ? { status: 204, headers: {} }
      : respond(200, result);
  } catch (error) {
    const isKnown = error instanceof DataError || error instanceof RangeError;
    if (isKnown) return failure(400, error.message);
    if (error instanceof ApiError) return failure(error.status, error.message);
    throw error;
  }
}

/**
 * Returns why a request is refused; undefined if it comes from a program on the
 * same machine. Requests of web pages are refused: they have an `Origin` header,
 * or a host name that does not belong to the loopback interface (DNS rebinding).
 */
function refusalOf(request: Incoming): string | undefined {
  const address = request.remoteAddress?.replace(/^::ffff:/, "");
  const host = request.header("host")?.replace(/:\d+$/, "") ?? "";
  if (request.header("origin") !== undefined)
    return `${ROOT} is not available to web pages: the request must not have the header Origin.`;
  if (request.header("x-forwarded-for") !== undefined)
    return `${ROOT} is not available through a proxy: the request must not have the header X-Forwarded-For.`;
  return address !== undefined &&
    isLoopback(address) &&
    isLoopback(host.toLowerCase())
    ? undefined
    : `${ROOT} is available only on the loopback interface, with a host name such as localhost or 127.0.0.1.`;
}

async function readJson(request: Incoming): Promise<unknown> {
  return parseJson(await request.text(MAX_BODY, BODY_TIME), MAX_DEPTH);
}

function failure(code: number, message: string): Outgoing {
  return respond(code, { error: { code, message } });
}

function respond(status: number, value: unknown): Outgoing {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: `${JSON.stringify(value)}\n`,
  };
}
