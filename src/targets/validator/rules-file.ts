import sources from "#built/runtime-rules.js";
import type { Sink } from "../../diagnostics/sink.js";
import type { OutputFile } from "../../platform/output-file.js";
import { Code, identifier } from "../../render/typescript/code.js";
import {
  printData,
  property,
  type Data,
} from "../../render/typescript/literals.js";
import type { FileRules } from "../../runtime/rules/definition.js";
import { moduleFile } from "../shared/module-file.js";
import type { TargetInput } from "../target.js";
import { judgePattern } from "./patterns.js";

/**
 * Prints rules.ts, the validator of the file that a document describes; an
 * empty list for a document without `x-file`. The module contains the rules,
 * and the functions of src/runtime/rules/ that apply them.
 */
export function rulesFile(input: TargetInput): OutputFile[] {
  const { api, names, sink } = input;
  if (api.file === undefined) return [];
  const rules = withSafePatterns(api.file, sink);
  const { kinds, schemas, rules: rows, ...settings } = rules;
  const type = names.validators.schemas.get(rules.root)!.slice(VALIDATE.length);
  const constant = `${type.charAt(0).toLowerCase()}${type.slice(1)}Rules`;
  const view = {
    validate: identifier(`${VALIDATE}${type}`),
    check: identifier(`check${type}`),
    rules: identifier(constant),
    settings: entriesOf(settings, 2),
    kinds: entriesOf(kinds, 4),
    schemas: entriesOf(schemas, 4),
    rows: rows.map(
      (row) => new Code(printData(row as unknown as Data, 4, "", ",")),
    ),
    engine: new Code(engineText()),
  };
  return [
    moduleFile(
      { path: "rules", template: "validator/rules", view },
      input,
      input.engine,
    ),
  ];
}

/** Prefix of the names of validators. */
const VALIDATE = "validate";

function entriesOf(object: object, indentation: number): Code[] {
  return Object.entries(object).map(
    ([key, value]) => new Code(property(key, value as Data, indentation)),
  );
}

/**
 * Returns the functions that apply rules as one text. The modules import only
 * one another, and their names are distinct.
 */
function engineText(): string {
  return Object.keys(sources)
    .sort()
    .map((name) =>
      sources[name]!.replace(/^import [^;]*;\n/gm, "")
        .replace(/^export (?:type \{[^;]*;\n)?/gm, "")
        .trim(),
    )
    .join("\n\n");
}

/** Fields of schemas in documents, keyed by the members of `PropertySchema`. */
const FIELDS: Readonly<Record<string, string>> = {
  advice: "x-advice",
  values: "additionalProperties",
};

/** JSON pointers of patterns in extensions. */
const EXTENSION = /^\/x-file\/|\/x-advice$/;

/**
 * Returns the rules without patterns that can't be checked in bounded time,
 * because nothing is known about the author of the document.
 */
function withSafePatterns(rules: FileRules, sink: Sink): FileRules {
  const filter = (value: unknown, pointer: string): unknown => {
    if (Array.isArray(value))
      return value.map((item, index) => filter(item, `${pointer}/${index}`));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key, member]) => {
          if (key !== "pattern" || typeof member !== "string") return true;
          const verdict = judgePattern(member);
          // Without an anchor, the `pattern` of a property is only a hint.
          const isHint = verdict === "unanchored" && !EXTENSION.test(pointer);
          if (verdict !== "enforced" && !isHint)
            sink.report(
              "pattern-unenforced",
              verdict === "unsafe"
                ? `validators can't check the pattern ${JSON.stringify(member)} in bounded time`
                : `the pattern ${JSON.stringify(member)} must begin with ^ to be checked`,
              `${pointer}/pattern`,
            );
          return verdict === "enforced";
        })
        .map(([key, member]) => [
          key,
          key === "properties"
            ? Object.fromEntries(
                Object.entries(member as object).map(([name, schema]) => [
                  name,
                  filter(schema, `${pointer}/properties/${name}`),
                ]),
              )
            : filter(member, `${pointer}/${FIELDS[key] ?? key}`),
        ]),
    );
  };
  return {
    ...rules,
    kinds: filter(rules.kinds, "/x-file/kinds") as FileRules["kinds"],
    schemas: filter(rules.schemas, "/schemas") as FileRules["schemas"],
  };
}
