import type { Call } from "../server/call.js";
import { ApiError } from "../server/error.js";
import { isRedirectStatus } from "../server/responses/redirects.js";
import { isApiError } from "../client/error.js";
import { TARGET, TARGET_PATH } from "./transports.js";
import type { MethodTester } from "./method-tester.js";

/**
 * Checks one call with all values and one with the minimum, and their
 * responses.
 */
export async function checkCalls(trial: MethodTester): Promise<void> {
  const { recorder, method } = trial.context;
  for (const step of ["full", "bare"])
    await trial.attempt(step, async () => {
      const given = trial.makeInput(step, step === "bare");
      const answer = answerOf(trial, step);
      let arrived: Call | undefined;
      recorder.on(method.id, (call) => {
        arrived = call;
        return answer;
      });
      const call = trial.begin(given) as PromiseLike<unknown>;
      const value = await call;
      trial.compareCall(step, given, arrived!);
      await compareAnswer(trial, step, answer, value);
    });
}

/** Returns the result of the handler; the target URL for a redirect. */
function answerOf(trial: MethodTester, step: string): unknown {
  const { rootUrl } = trial.context.connection;
  return isRedirection(trial)
    ? new URL(TARGET_PATH, rootUrl).href
    : trial.makeResponse(step);
}

async function compareAnswer(
  trial: MethodTester,
  step: string,
  answer: unknown,
  value: unknown,
): Promise<void> {
  if (!isRedirection(trial)) {
    trial.compare(`${step} response`, answer, value);
    return;
  }
  const text = value instanceof Blob ? await value.text() : value;
  trial.compare(`${step} response`, TARGET, text);
}

/** Returns true if the method responds with a redirect. */
export function isRedirection({ context }: MethodTester): boolean {
  return isRedirectStatus(context.method.status);
}

/** Statuses of errors that the service throws. */
const STATUSES: readonly number[] = [400, 403, 404, 409, 412, 429, 500, 503];

const MESSAGE = 'No such "thing" \u{1f600}: <a/b>.';
const REASON = "conformanceReason";
const CODE = "CONFORMANCE_CODE";
const SECRET = "a secret of the service";

/**
 * Checks that an ApiError of the service reaches the client, and that details
 * of other errors do not.
 */
export async function checkFailures(trial: MethodTester): Promise<void> {
  const { recorder, method } = trial.context;
  const status =
    STATUSES[Math.floor(trial.random("status")() * STATUSES.length)]!;
  const given = trial.makeInput("failure", true);
  await trial.attempt("failure", async () => {
    recorder.on(method.id, () => {
      const extras = { reason: REASON, code: CODE };
      throw new ApiError(status, MESSAGE, extras);
    });
    const error = await failureOf(trial.begin(given));
    const { reason, code } = error;
    const message = error.message.endsWith(MESSAGE) ? MESSAGE : error.message;
    const body = bodyOf(trial, status);
    const says = (fact: string): boolean =>
      body === undefined || JSON.stringify(body).includes(fact);
    trial.compare(
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
  await trial.attempt("crash", async () => {
    recorder.on(method.id, () => {
      throw new Error(SECRET);
    });
    const {
      status: got,
      message,
      body = "",
    } = await failureOf(trial.begin(given));
    const tells = `${message}${body}`.includes(SECRET);
    trial.compare(
      "crash",
      { status: 500, tells: false },
      { status: got, tells },
    );
  });
}

/**
 * Returns the error body of a status in the description, if any (`x-errors`).
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
  readonly code?: string | undefined;
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
