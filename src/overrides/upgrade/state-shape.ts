import { isObject } from "../../diagnostics/json.js";
import type { Plan } from "./plan.js";
import type { UpgradeState } from "./state.js";

type Test = readonly [must: string, isRight: (value: unknown) => boolean];

const TEXT: Test = ["be text", (value) => typeof value === "string"];
const TIME: Test = [
  "be a time such as 2026-01-31T12:00:00.000Z",
  (value) => typeof value === "string" && !Number.isNaN(Date.parse(value)),
];

const STEP: Readonly<Record<string, Test>> = {
  status: [
    "be running, done, failed or skipped",
    (value) =>
      value === "running" ||
      value === "done" ||
      value === "failed" ||
      value === "skipped",
  ],
  actions: ["be an integer, 0 or more", (value) => isCount(value, 0)],
  isOpen: ["be true or absent", (value) => value === true],
  child: ["have pid and started", isProcess],
  startedAt: TIME,
  endedAt: TIME,
  reason: TEXT,
};

const STATE: Readonly<Record<string, Test>> = {
  version: ["be 1", (value) => value === 1],
  fingerprint: TEXT,
  steps: ["be an object", isObject],
  old: [
    "be a list of text",
    (value) =>
      Array.isArray(value) && value.every((item) => typeof item === "string"),
  ],
  pins: [
    "be an object of text",
    (value) =>
      isObject(value) &&
      Object.values(value).every((item) => typeof item === "string"),
  ],
  seal: TEXT,
};

/** Names the first part of a value that no state file has; undefined for a state. */
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
    const place = `steps.${id}`;
    if (!isObject(step)) return `${place} must be an object`;
    const wrong = recordProblem(step, `${place}.`, STEP, [
      "status",
      "actions",
      "startedAt",
    ]);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function recordProblem(
  value: Readonly<Record<string, unknown>>,
  prefix: string,
  tests: Readonly<Record<string, Test>>,
  required: readonly string[],
): string | undefined {
  for (const key of required)
    if (!Object.hasOwn(value, key)) return `${prefix}${key} is missing`;
  for (const [key, own] of Object.entries(value)) {
    const test = Object.hasOwn(tests, key) ? tests[key] : undefined;
    if (test === undefined) return `${prefix}${key} is not known`;
    if (!test[1](own)) return `${prefix}${key} must ${test[0]}`;
  }
  return undefined;
}

function isCount(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

/** Whether a value names a process. */
export function isProcess(
  value: unknown,
): value is { readonly pid: number; readonly started: string } {
  return (
    isObject(value) &&
    isCount(value["pid"], 1) &&
    typeof value["started"] === "string" &&
    Object.keys(value).length === 2
  );
}

/** Names of the parts of a plan's fingerprint, in order. */
const PARTS = [
  "--from",
  "--to",
  "--mode",
  "org",
  "gcp.projectID",
  "namespace",
  "the steps",
] as const;

/** Names how a state differs from a plan; undefined where it belongs to the plan. */
export function planDifference(
  { fingerprint, steps }: UpgradeState,
  plan: Plan,
  own: string,
): string | undefined {
  if (fingerprint !== own) return fingerprintDifference(fingerprint, own);
  for (const [id, step] of Object.entries(steps)) {
    const found = plan.steps.find((one) => one.id === id);
    if (found === undefined) return `steps.${id} is not a step of this plan`;
    const most = found.actions.length;
    if (step.actions > most)
      return `steps.${id}.actions must be an integer from 0 to ${most}`;
  }
  return undefined;
}

function fingerprintDifference(state: string, own: string): string {
  const before = partsOf(state);
  const now = partsOf(own);
  const different = PARTS.flatMap((name, index) => {
    const [old, current] = [before?.[index], now?.[index]].map((part) =>
      Array.isArray(part) ? part.join(" ") : String(part),
    );
    return old === current
      ? []
      : [`${name} was ${short(old!)} and is ${short(current!)}`];
  });
  return before === undefined
    ? "fingerprint must be a list"
    : different.join("; ") || "the fingerprints differ";
}

function partsOf(text: string): readonly unknown[] | undefined {
  try {
    const parts: unknown = JSON.parse(text);
    return Array.isArray(parts) ? parts : undefined;
  } catch {
    return undefined;
  }
}

function short(text: string): string {
  return text.length > 200 ? `${text.slice(0, 197)}...` : text;
}
