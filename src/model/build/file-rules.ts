import { isObject } from "../../diagnostics/json.js";
import { canonicalValue, sortedKeys } from "../../load/canonical.js";
import type { RawDocument, RawSchema } from "../../load/raw.js";
import type {
  FileRule,
  FileRules,
  PropertySchema,
  ValueType,
} from "../../runtime/rules/definition.js";
import { Properties } from "../../runtime/rules/properties.js";
import type { Api } from "../ir.js";
import { type BuildContext, child, type DocumentPath } from "./context.js";
import { textPattern } from "./text-pattern.js";

type Raw = Readonly<Record<string, unknown>>;

/**
 * Builds the rules about the file that a document describes, from the
 * extensions `x-file` and `x-rules` and those of schemas (specs/README.md). The
 * check of the document has checked the types of their members. Reports rules
 * that refer to something that the document does not declare, and omits them.
 */
export function fileRules(
  document: RawDocument,
  context: BuildContext,
): Pick<Api, "file"> {
  const raw = document["x-file"];
  if (!isObject(raw)) return {};
  const at = child(undefined, "x-file");
  const file = raw as unknown as Omit<FileRules, "file"> & { name: string };
  const schemas = (document.schemas ?? {}) as Readonly<
    Record<string, RawSchema>
  >;
  const unresolved = (message: string, where: DocumentPath): void =>
    context.report("extension-unresolved", message, where);
  if (!Object.hasOwn(schemas, file.root)) {
    unresolved("x-file.root must be the name of a schema", child(at, "root"));
    return {};
  }
  if (!Object.hasOwn(file.targets, file.defaultTarget)) {
    unresolved(
      "x-file.defaultTarget must be the name of a target",
      child(at, "defaultTarget"),
    );
    return {};
  }
  const { name, modes = [], phases = [] } = file;
  const codes = canonicalValue(file.codes ?? {}) as FileRules["codes"];
  const kinds = canonicalValue(file.kinds ?? {}) as FileRules["kinds"];
  const rules: FileRules = {
    root: file.root,
    file: name,
    targets: canonicalValue(file.targets) as FileRules["targets"],
    defaultTarget: file.defaultTarget,
    modes,
    phases,
    codes,
    kinds,
    schemas: new SchemaReader(schemas, kinds, context).read(file.root),
    rules: [],
  };
  const properties = propertiesOf(rules);
  if (properties === undefined) {
    context.report(
      "extension-invalid",
      "x-file must describe a file with at most 10,000 properties",
      at,
    );
    return {};
  }
  const list = (document["x-rules"] ?? []) as readonly unknown[];
  const valid = list.flatMap((rule, index) => {
    if (!isObject(rule)) return [];
    const problem = problemOf(rule, properties);
    if (problem === undefined) return [orderedRule(rule)];
    unresolved(problem, child(undefined, "x-rules", index));
    return [];
  });
  return { file: { ...rules, rules: valid } };
}

/** Returns a rule with its members in an order that the document can't change. */
function orderedRule({ rule, code, ...members }: Raw): FileRule {
  const { rules, ...others } = members;
  const nested =
    rules === undefined ? {} : { rules: (rules as Raw[]).map(orderedRule) };
  const rest = canonicalValue(others) as Raw;
  return { rule, code, ...rest, ...nested } as unknown as FileRule;
}

function propertiesOf(rules: FileRules): Properties | undefined {
  try {
    return new Properties(rules);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Map from the extensions of a schema to members of `PropertySchema`. */
const EXTENSIONS: readonly (readonly [string, keyof PropertySchema])[] = [
  ["x-kind", "kind"],
  ["x-max-length", "maxLength"],
  ["x-max-bytes", "maxBytes"],
  ["x-min-items", "minItems"],
  ["x-unit", "unit"],
  ["x-code", "code"],
  ["x-advice", "advice"],
  ["x-quantity", "quantity"],
  ["x-placeholder", "placeholder"],
  ["x-since", "since"],
  ["x-until", "until"],
  ["x-deprecated-since", "deprecatedSince"],
  ["x-removed", "removed"],
  ["x-replaced-by", "replacedBy"],
  ["x-spelling", "spelling"],
  ["x-also-written", "alsoWritten"],
  ["x-severity", "severity"],
  ["x-secret", "secret"],
  ["x-undocumented", "undocumented"],
  ["x-required-since", "requiredSince"],
];

const TYPES: ReadonlySet<string> = new Set<ValueType>([
  "string",
  "integer",
  "number",
  "boolean",
  "object",
  "array",
]);

/** Reader of the schemas to which the schema of the file refers. */
class SchemaReader {
  readonly #raw: Readonly<Record<string, RawSchema>>;
  readonly #kinds: FileRules["kinds"];
  readonly #context: BuildContext;
  readonly #schemas = new Map<string, PropertySchema | undefined>();

  constructor(
    raw: Readonly<Record<string, RawSchema>>,
    kinds: FileRules["kinds"],
    context: BuildContext,
  ) {
    this.#raw = raw;
    this.#kinds = kinds;
    this.#context = context;
  }

  /** Returns all schemas, in the order of their names. */
  read(root: string): Record<string, PropertySchema> {
    this.#resolve(root);
    const names = [...this.#schemas.keys()].sort();
    return Object.fromEntries(
      names.map((name) => [name, this.#schemas.get(name)!]),
    );
  }

  /** Reads a schema of the document. Returns false if it does not exist. */
  #resolve(name: string): boolean {
    if (!Object.hasOwn(this.#raw, name)) return false;
    if (this.#schemas.has(name)) return true;
    this.#schemas.set(name, undefined);
    const at = child(undefined, "schemas", name);
    this.#schemas.set(name, this.#schema(this.#raw[name]!, at));
    return true;
  }

  #schema(
    raw: RawSchema,
    at: DocumentPath,
    isRequired = false,
  ): PropertySchema {
    const { type, minimum, maximum, enum: values, default: fallback } = raw;
    const own = raw as Raw;
    const schema: Record<string, unknown> = {};
    if (raw.$ref !== undefined && this.#resolve(raw.$ref))
      schema["ref"] = raw.$ref;
    if (type !== undefined && TYPES.has(type)) schema["type"] = type;
    for (const [key, member] of EXTENSIONS)
      if (own[key] !== undefined) schema[member] = own[key];
    const pattern = textPattern(raw);
    if (pattern !== undefined) schema["pattern"] = pattern;
    if (minimum !== undefined) schema["minimum"] = Number(minimum);
    if (maximum !== undefined) schema["maximum"] = Number(maximum);
    if (values !== undefined) schema["enum"] = values.map(String);
    if (fallback !== undefined && fallback !== null)
      schema["default"] = String(fallback);
    if (isRequired) {
      schema["required"] = own["x-missing"] ?? "error";
      if (raw.description !== undefined)
        schema["description"] = raw.description;
    }
    this.#checkKind(schema, at);
    this.#addMembers(raw, schema, at);
    return schema as PropertySchema;
  }

  #checkKind(schema: Record<string, unknown>, at: DocumentPath): void {
    const { kind } = schema;
    if (kind === undefined || Object.hasOwn(this.#kinds, String(kind))) return;
    this.#context.report(
      "extension-unresolved",
      `x-kind contains ${JSON.stringify(kind)}, which is not a kind of x-file`,
      child(at, "x-kind"),
    );
    delete schema["kind"];
  }

  #addMembers(
    raw: RawSchema,
    schema: Record<string, unknown>,
    at: DocumentPath,
  ): void {
    const { properties, additionalProperties: values, items } = raw;
    const required = new Set(
      (raw as Raw)["x-required"] as string[] | undefined,
    );
    if (properties !== undefined)
      schema["properties"] = Object.fromEntries(
        sortedKeys(properties).map((key) => [
          key,
          this.#schema(
            properties[key]!,
            child(at, "properties", key),
            required.has(key),
          ),
        ]),
      );
    if (isObject(values))
      schema["values"] = this.#schema(
        values,
        child(at, "additionalProperties"),
      );
    if (isObject(items))
      schema["items"] = this.#schema(items as RawSchema, child(at, "items"));
  }
}

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

/** Returns the reason why a rule can't be applied. */
function problemOf(rule: Raw, properties: Properties): string | undefined {
  const kind = String(rule["rule"]);
  if (!Object.hasOwn(MEMBERS, kind))
    return `${JSON.stringify(kind)} is not a kind of rule`;
  const missing = ["code", ...MEMBERS[kind as FileRule["rule"]]].find(
    (member) => rule[member] === undefined,
  );
  if (missing !== undefined)
    return `a rule ${JSON.stringify(kind)} must have the field ${missing}`;
  const { codes } = properties.rules;
  if (!Object.hasOwn(codes, String(rule["code"])))
    return `${JSON.stringify(rule["code"])} is not a code of x-file`;
  const path = pathsOf(rule).find((name) => !properties.byPath.has(name));
  if (path !== undefined)
    return `${JSON.stringify(path)} is not a property of the file`;
  const nested = (rule["rules"] ?? []) as readonly Raw[];
  return nested
    .map((inner) => problemOf(inner, properties))
    .find((problem) => problem !== undefined);
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
