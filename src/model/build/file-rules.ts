import { isObject } from "../../diagnostics/json.js";
import { canonicalValue, sortedKeys } from "../../load/canonical.js";
import type { RawDocument, RawSchema } from "../../load/raw.js";
import type {
  FileRule,
  FileRules,
  PropertySchema,
  TextKind,
  ValueType,
} from "../../runtime/rules/definition.js";
import { Properties } from "../../runtime/rules/properties.js";
import type { Api } from "../ir.js";
import { type BuildContext, child, type DocumentPath } from "./context.js";
import { problemOf } from "./file-rule-problems.js";
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
  if (!isObject(raw)) {
    if (document["x-rules"] !== undefined)
      context.report(
        "extension-unresolved",
        "x-rules require a valid x-file",
        child(undefined, "x-rules"),
      );
    return {};
  }
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
  const kinds = canonicalValue(
    validKinds(file.kinds ?? {}, codes, context),
  ) as FileRules["kinds"];
  const rules: FileRules = {
    root: file.root,
    file: name,
    targets: canonicalValue(file.targets) as FileRules["targets"],
    defaultTarget: file.defaultTarget,
    modes,
    phases,
    codes,
    kinds,
    schemas: new SchemaReader(schemas, { kinds, codes }, context).read(
      file.root,
    ),
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

/** Returns the kinds of text, without invalid patterns and unknown codes. */
function validKinds(
  kinds: FileRules["kinds"],
  codes: FileRules["codes"],
  context: BuildContext,
): FileRules["kinds"] {
  const entries = Object.entries(kinds).map(([name, kind]) => {
    const at = child(undefined, "x-file", "kinds", name);
    const copy: { pattern?: string; code?: string } & TextKind = { ...kind };
    if (!isPattern(copy.pattern, child(at, "pattern"), context))
      delete copy.pattern;
    if (!isCode(copy.code, codes, child(at, "code"), context)) delete copy.code;
    const { pattern, ...never } = kind.never ?? { message: "" };
    return isPattern(pattern, child(at, "never", "pattern"), context)
      ? [name, copy]
      : [name, { ...copy, never }];
  });
  return Object.fromEntries(entries) as FileRules["kinds"];
}

/** Reports a code that `x-file` does not declare; returns false for it. */
function isCode(
  code: unknown,
  codes: FileRules["codes"],
  at: DocumentPath,
  context: BuildContext,
): boolean {
  if (code === undefined || Object.hasOwn(codes, String(code))) return true;
  context.report(
    "extension-unresolved",
    `${JSON.stringify(code)} is not a code of x-file`,
    at,
  );
  return false;
}

/** Reports an invalid regular expression; returns false for it. */
function isPattern(
  pattern: string | undefined,
  at: DocumentPath,
  context: BuildContext,
): boolean {
  if (pattern === undefined || context.isPattern(pattern)) return true;
  context.report(
    "limit-invalid",
    `pattern must be a regular expression, found ${JSON.stringify(pattern.slice(0, 200))}`,
    at,
  );
  return false;
}

/** Reader of the schemas to which the schema of the file refers. */
class SchemaReader {
  readonly #raw: Readonly<Record<string, RawSchema>>;
  readonly #file: Pick<FileRules, "kinds" | "codes">;
  readonly #context: BuildContext;
  readonly #schemas = new Map<string, PropertySchema | undefined>();

  constructor(
    raw: Readonly<Record<string, RawSchema>>,
    file: Pick<FileRules, "kinds" | "codes">,
    context: BuildContext,
  ) {
    this.#raw = raw;
    this.#file = file;
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
    this.#checkNames(schema, at);
    this.#addMembers(raw, schema, at);
    return schema as PropertySchema;
  }

  /** Omits names that `x-file` does not declare, and an invalid pattern. */
  #checkNames(schema: Record<string, unknown>, at: DocumentPath): void {
    const { kind, code, advice } = schema;
    const { kinds, codes } = this.#file;
    if (kind !== undefined && !Object.hasOwn(kinds, String(kind))) {
      this.#context.report(
        "extension-unresolved",
        `x-kind contains ${JSON.stringify(kind)}, which is not a kind of x-file`,
        child(at, "x-kind"),
      );
      delete schema["kind"];
    }
    if (!isCode(code, codes, child(at, "x-code"), this.#context))
      delete schema["code"];
    const { pattern } = (advice ?? {}) as { readonly pattern?: string };
    if (!isPattern(pattern, child(at, "x-advice", "pattern"), this.#context))
      delete schema["advice"];
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
