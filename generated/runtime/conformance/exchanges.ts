/* eslint-disable */
// biome-ignore-all lint: generated

import type { Call } from "../server/call.js";
import { ApiError } from "../server/error.js";
import { isRedirectStatus } from "../server/responses/redirects.js";
import { isApiError } from "../client/error.js";
import { TARGET, TARGET_PATH } from "./transports.js";
import type { MethodTester } from "./method-tester.js";

/**
 * Checks two calls of a method and their responses. One call has all parameters
 * and fields, the other only the required ones.
 */
export async function checkCalls(tester: MethodTester): Promise<void> {
  const { recorder, method } = tester.context;
  for (const step of ["full", "bare"])
    await tester.attempt(step, async () => {
      const input = tester.makeInput(step, step === "bare");
      const response = resultOf(tester, step);
      let received: Call | undefined;
      recorder.on(method.id, (call) => {
        received = call;
        return response;
      });
      const call = tester.begin(input) as PromiseLike<unknown>;
      const value = await call;
      tester.compareCall(step, input, received!);
      await compareResponse(tester, step, response, value);
    });
}

/**
 * Returns the value that the handler must return. For a redirect, this is the
 * target URL.
 */
function resultOf(tester: MethodTester, step: string): unknown {
  const { rootUrl } = tester.context.connection;
  return isRedirection(tester)
    ? new URL(TARGET_PATH, rootUrl).href
    : tester.makeResponse(step);
}

async function compareResponse(
  tester: MethodTester,
  step: string,
  response: unknown,
  value: unknown,
): Promise<void> {
  if (!isRedirection(tester)) {
    tester.compare(`${step} response`, response, value);
    return;
  }
  const text = value instanceof Blob ? await value.text() : value;
  tester.compare(`${step} response`, TARGET, text);
}

/** Returns true if the method responds with a redirect. */
export function isRedirection({ context }: MethodTester): boolean {
  return isRedirectStatus(context.method.status);
}

/** HTTP status codes of the errors that the service throws. */
const STATUSES: readonly number[] = [400, 403, 404, 409, 412, 429, 500, 503];

const MESSAGE = 'No such "thing" \u{1f600}: <a/b>.';
const REASON = "conformanceReason";
const CODE = "CONFORMANCE_CODE";
const SECRET = "internal details of the service";

/**
 * Checks that the client receives the ApiErrors that the service throws, and
 * that it does not receive details of other thrown errors.
 */
export async function checkFailures(tester: MethodTester): Promise<void> {
  const { recorder, method } = tester.context;
  const status =
    STATUSES[Math.floor(tester.random("status")() * STATUSES.length)]!;
  const input = tester.makeInput("failure", true);
  await tester.attempt("failure", async () => {
    recorder.on(method.id, () => {
      const extras = { reason: REASON, code: CODE };
      throw new ApiError(status, MESSAGE, extras);
    });
    const error = await failureOf(tester.begin(input));
    const { reason, serverCode: code } = error;
    const message = error.message.endsWith(MESSAGE) ? MESSAGE : error.message;
    const body = bodyOf(tester, status);
    const says = (text: string): boolean =>
      body === undefined || JSON.stringify(body).includes(text);
    tester.compare(
      "failure",
      {
        status,
        message: MESSAGE,
        reason: says("{reason}") ? REASON : reason,
        code: says("{code}") ? CODE : code,
      },
      { status: error.status, message, reason, code },
    );
  });
  await tester.attempt("crash", async () => {
    recorder.on(method.id, () => {
      throw new Error(SECRET);
    });
    const {
      status: got,
      message,
      body = "",
    } = await failureOf(tester.begin(input));
    const tells = `${message}${body}`.includes(SECRET);
    tester.compare(
      "crash",
      { status: 500, tells: false },
      { status: got, tells },
    );
  });
}

/**
 * Returns the error body that the API description defines for a status code
 * (`x-errors`); undefined if there is no definition.
 */
function bodyOf({ context }: MethodTester, status: number): unknown {
  const all = [context.method.errors, context.api.errors];
  const entries = [
    ...all.map((one) => one?.[status]),
    ...all.map((one) => one?.["default"]),
  ];
  return entries.find((entry) => entry?.body !== undefined)?.body;
}

interface Failure {
  readonly status?: number | undefined;
  readonly message: string;
  readonly reason?: string | undefined;
  readonly serverCode?: string | undefined;
  readonly body?: string | undefined;
}

async function failureOf(call: unknown): Promise<Failure> {
  try {
    await (call as PromiseLike<unknown>);
  } catch (error) {
    if (isApiError(error)) return error;
    throw error;
  }
  throw new Error("the call succeeded; expected an error");
}
