import type {
  Key,
  Run,
  ValidationCode,
  ValidationError,
  ValidationOptions,
} from "./contract.js";

/** Values after which checking ends: shared ones can unfold without end. */
const MAX_VALUES = 10_000_000;

/** What every run begins with; nothing is ever added to it. */
const NONE: ValidationError[] = [];

/** A run that has ended, kept for the next one: making it anew costs time. */
let idle: Run | undefined;

/** A run that has not begun. */
export function startRun(
  given: ValidationOptions,
  method: string | undefined,
  isPatch: boolean,
): Run {
  const run = idle ?? newRun();
  idle = undefined;
  run.isRequest = method !== undefined || given.mode === "request";
  run.method = method ?? given.method;
  run.isPartial = isPatch || given.partial === true;
  run.opensEnums = given.openEnums === true;
  run.rejectsReadOnly = given.readOnlyFields === "reject";
  run.rejectsUnknown = given.unknownFields === "reject";
  run.allowsNull = isPatch;
  run.int64Numbers = given.int64Numbers;
  run.maxErrors = Math.max(1, given.maxErrors ?? 100);
  run.maxDepth = given.maxDepth ?? 100;
  run.remainingValues = MAX_VALUES;
  run.depth = 0;
  return run;
}

/** What a run found; another one takes its place. */
export function endRun(run: Run): readonly ValidationError[] {
  const { errors } = run;
  if (errors.length > 0) run.errors = NONE;
  idle = run;
  return errors;
}

function newRun(): Run {
  return {
    isRequest: false,
    method: undefined,
    isPartial: false,
    opensEnums: false,
    rejectsReadOnly: false,
    rejectsUnknown: false,
    allowsNull: false,
    int64Numbers: undefined,
    root: undefined,
    maxErrors: 1,
    maxDepth: 1,
    remainingValues: 1,
    path: [],
    depth: 0,
    errors: NONE,
  };
}

/** Notes an error; the result of the check that found it. */
export function report(
  run: Run,
  key: Key,
  code: ValidationCode,
  message: string,
  expected?: string,
): boolean {
  const { errors, maxErrors } = run;
  if (errors.length >= maxErrors) return true;
  const pointer = pointerTo(run, key);
  const error: ValidationError =
    expected === undefined
      ? { pointer, code, message }
      : { pointer, code, message, expected };
  if (errors.length > 0) errors.push(error);
  // An array made with its first element takes less room and time.
  else run.errors = [error];
  return run.errors.length >= maxErrors;
}

/** Notes an error and ends the run. */
export function abort(
  run: Run,
  key: Key,
  code: ValidationCode,
  message: string,
): true {
  report(run, key, code, message);
  // Whoever is not told to stop runs out of budget at once.
  run.remainingValues = 0;
  return true;
}

/** Goes down to a property or an element; false where the run has to end. */
export function enter(run: Run, key: Key): boolean {
  if (run.depth >= run.maxDepth)
    return !abort(run, key, "too-deep", `lies below ${run.maxDepth} levels`);
  if (--run.remainingValues < 0)
    return !abort(run, key, "too-large", "has too many values");
  run.path[run.depth++] = key!;
  return true;
}

/** Whether a property counts as missing: undefined, or `null` in a PATCH. */
export function isAbsent(run: Run, value: unknown): boolean {
  return value === undefined || (value === null && run.allowsNull);
}

function pointerTo({ path, depth }: Run, key: Key): string {
  if (depth === 0 && key !== undefined) return tokenOf(key);
  let pointer = "";
  for (let level = 0; level < depth; level++) pointer += tokenOf(path[level]!);
  return key === undefined ? pointer : pointer + tokenOf(key);
}

/** Tokens with their slash: looking one up costs a third of making it. */
const tokens = new Map<Key, string>();

/** Characters that may still be kept: names come from hostile values too. */
let room = 50_000;

function tokenOf(key: string | number): string {
  const known = tokens.get(key);
  if (known !== undefined) return known;
  const token = `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
  if ((room -= token.length) > 0) tokens.set(key, token);
  return token;
}
