import { isObject } from "../../diagnostics/json.js";
import { isProcess } from "./process-record.js";

type MemberTest = readonly [
  problem: string,
  isRight: (value: unknown) => boolean,
];

const TEXT: MemberTest = [
  "must be a string",
  (value) => typeof value === "string",
];
const TIME: MemberTest = [
  "must be a time such as 2026-01-31T12:00:00.000Z",
  (value) => typeof value === "string" && !Number.isNaN(Date.parse(value)),
];

const STEP: Readonly<Record<string, MemberTest>> = {
  status: [
    "must be running, done, failed or skipped",
    (value) =>
      value === "running" ||
      value === "done" ||
      value === "failed" ||
      value === "skipped",
  ],
  actions: ["must be a non-negative integer", (value) => isCount(value)],
  isOpen: ["must be true or absent", (value) => value === true],
  child: ["must have the members `pid` and `started`", isProcess],
  startedAt: TIME,
  endedAt: TIME,
  reason: TEXT,
};

const STATE: Readonly<Record<string, MemberTest>> = {
  version: ["must be 1", (value) => value === 1],
  fingerprint: TEXT,
  steps: ["must be an object", isObject],
  old: [
    "must be an array of strings",
    (value) =>
      Array.isArray(value) && value.every((item) => typeof item === "string"),
  ],
  pins: [
    "must be an object whose values are strings",
    (value) =>
      isObject(value) &&
      Object.values(value).every((item) => typeof item === "string"),
  ],
  seal: TEXT,
};

/**
 * Returns an error message about the first invalid member of a state; undefined
 * if the state is valid.
 */
export function stateProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "the file must be an object";
  const problem = recordProblem(value, "", STATE, [
    "version",
    "fingerprint",
    "steps",
  ]);
  if (problem !== undefined) return problem;
  const steps = Object.entries(value["steps"] as Record<string, unknown>);
  for (const [id, step] of steps) {
    const path = `steps.${id}`;
    if (!isObject(step)) return `${path} must be an object`;
    const stepProblem = recordProblem(step, `${path}.`, STEP, [
      "status",
      "actions",
      "startedAt",
    ]);
    if (stepProblem !== undefined) return stepProblem;
  }
  return undefined;
}

function recordProblem(
  value: Readonly<Record<string, unknown>>,
  prefix: string,
  tests: Readonly<Record<string, MemberTest>>,
  required: readonly string[],
): string | undefined {
  for (const key of required)
    if (!Object.hasOwn(value, key)) return `${prefix}${key} is missing`;
  for (const [key, member] of Object.entries(value)) {
    const test = Object.hasOwn(tests, key) ? tests[key] : undefined;
    if (test === undefined) return `${prefix}${key} is not a known key`;
    if (!test[1](member)) return `${prefix}${key} ${test[0]}`;
  }
  return undefined;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
