import { codeOf, reasonOf, type ApiError, type Problem } from "./error.js";

/** How a description wants a failure written; see `x-errors` of the documents. */
export interface ErrorEntry {
  /** The body, in which strings such as `{message}` stand for facts. */
  readonly body?: unknown;
  /** Texts for failures that have none of their own. */
  readonly message?: string;
  readonly reason?: string;
  readonly code?: string;
  /** Members of the body (as JSON pointers) that are `null`, not left out, without a fact. */
  readonly nullable?: readonly string[];
  /** Members of the body (as JSON pointers) that are numbers. */
  readonly numbers?: readonly string[];
}

/**
 * The body of a failure as Google's APIs write it: readable by clients of the
 * older form (`errors`) and of the newer one (`status`, `details`).
 */
export function usualEnvelope(error: ApiError): object {
  const { status, message, extras } = error;
  const reason = extras.reason ?? reasonOf(status);
  const problems = extras.problems ?? [{ message, reason }];
  return {
    error: {
      code: status,
      message,
      errors: problems.map((problem) => item(problem, reason)),
      status: extras.code ?? codeOf(status),
      ...(extras.details === undefined ? {} : { details: extras.details }),
    },
  };
}

function item(problem: Problem, reason: string): object {
  const { location, locationType } = problem;
  return {
    message: problem.message,
    domain: "global",
    reason: problem.reason ?? reason,
    ...(location === undefined ? {} : { location }),
    ...(locationType === undefined ? {} : { locationType }),
  };
}
