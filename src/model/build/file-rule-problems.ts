import type { FileRule, FileRules } from "../../runtime/rules/definition.js";
import type { Properties } from "../../runtime/rules/properties.js";

type Raw = Readonly<Record<string, unknown>>;

/** Members that contain paths from the root of the file. */
const ABSOLUTE = ["at", "list", "key", "from", "same", "unless"];

/** Members of a rule that must be present, keyed by kind of rule. */
const MEMBERS: Readonly<Record<FileRule["rule"], readonly string[]>> = {
  alternatives: ["at", "groups", "what"],
  together: ["at", "keys"],
  needs: ["at", "when", "keys"],
  ordered: ["at", "low", "high", "scale"],
  unique: ["list", "key", "what"],
  same: ["keys", "suggestion"],
  moved: ["from", "key"],
  redundant: ["key", "same"],
  most: ["key", "most", "what"],
  multiple: ["key", "of", "what"],
  required: ["key", "suggestion"],
  address: ["key", "suggestion"],
  forbidden: ["key", "what", "suggestion"],
  exclusive: ["keys", "suggestion"],
  set: ["keys", "what", "why", "suggestion"],
  first: ["rules"],
};

/** Returns the reason why a rule can't be applied; undefined if it can. */
export function problemOf(
  rule: Raw,
  properties: Properties,
): string | undefined {
  const kind = String(rule["rule"]);
  if (!Object.hasOwn(MEMBERS, kind))
    return `${JSON.stringify(kind)} is not a kind of rule`;
  const missing = ["code", ...MEMBERS[kind as FileRule["rule"]]].find(
    (member) => rule[member] === undefined,
  );
  if (missing !== undefined)
    return `a rule ${JSON.stringify(kind)} must have the field ${missing}`;
  if (PAIRS.has(kind) && (rule["keys"] as readonly string[]).length !== 2)
    return `keys of a rule ${JSON.stringify(kind)} must contain two properties`;
  const name = undeclaredName(rule, properties.rules);
  if (name !== undefined) return name;
  const path = pathsOf(rule).find((name) => !properties.byPath.has(name));
  if (path !== undefined)
    return `${JSON.stringify(path)} is not a property of the file`;
  const nested = (rule["rules"] ?? []) as readonly Raw[];
  return nested
    .map((inner) => problemOf(inner, properties))
    .find((problem) => problem !== undefined);
}

/** Kinds of rules that compare two properties. */
const PAIRS: ReadonlySet<string> = new Set(["same", "exclusive"]);

/** Returns the message about a name that `x-file` does not declare. */
function undeclaredName(
  { code, modes = {}, phases = [] }: Raw,
  file: FileRules,
): string | undefined {
  const isUndeclared = (names: readonly string[]) => (name: string) =>
    !names.includes(name);
  if (!Object.hasOwn(file.codes, String(code)))
    return `${JSON.stringify(code)} is not a code of x-file`;
  const mode = Object.keys(modes as object).find(isUndeclared(file.modes));
  if (mode !== undefined)
    return `${JSON.stringify(mode)} is not a mode of x-file`;
  const phase = (phases as readonly string[]).find(
    isUndeclared(["", ...file.phases]),
  );
  return phase === undefined
    ? undefined
    : `${JSON.stringify(phase)} is not a phase of x-file`;
}

/** Returns the paths of all properties to which a rule refers. */
function pathsOf(rule: Raw): string[] {
  const texts = (value: unknown): string[] =>
    Array.isArray(value)
      ? value.flatMap(texts)
      : typeof value === "string"
        ? [value]
        : [];
  const at = rule["at"] ?? rule["list"];
  const prefix = typeof at === "string" && at !== "" ? `${at}.` : "";
  const relative = [
    ...texts(rule["groups"]),
    ...texts(rule["keys"]),
    ...texts(rule["low"]),
    ...texts(rule["high"]),
    ...(rule["list"] === undefined ? [] : texts(rule["key"])),
    ...((rule["when"] ?? []) as readonly Raw[]).flatMap(({ key }) =>
      texts(key),
    ),
  ].map((key) => `${prefix}${key}`);
  const absolute = ABSOLUTE.filter(
    (member) => member !== "key" || rule["list"] === undefined,
  ).flatMap((member) => texts(rule[member]));
  return [...relative, ...absolute];
}
