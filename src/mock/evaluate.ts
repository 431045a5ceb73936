import * as batch from "../runtime/server/batch.js";
import * as rawBody from "../runtime/server/raw-body.js";
import * as uploads from "../runtime/server/uploads.js";
import * as containers from "../runtime/validator/containers.js";
import * as expected from "../runtime/validator/expected.js";
import * as fields from "../runtime/validator/fields.js";
import * as limits from "../runtime/validator/limits.js";
import * as numbers from "../runtime/validator/numbers.js";
import * as texts from "../runtime/validator/texts.js";
import * as times from "../runtime/validator/times.js";
import * as validate from "../runtime/validator/validate.js";
import * as variant from "../runtime/validator/variant.js";

type Exports = Readonly<Record<string, unknown>>;

/**
 * Runtime modules that generated modules import, keyed by the last segments of
 * the import specifier.
 */
const RUNTIME: Readonly<Record<string, Exports>> = {
  "server/batch": batch,
  "server/raw-body": rawBody,
  "server/uploads": uploads,
  "validator/containers": containers,
  "validator/expected": expected,
  "validator/fields": fields,
  "validator/limits": limits,
  "validator/numbers": numbers,
  "validator/texts": texts,
  "validator/times": times,
  "validator/validate": validate,
  "validator/variant": variant,
};

/**
 * Patterns that match TypeScript type syntax in generated modules, with their
 * replacements. A generated line never starts with text from a document, so the
 * patterns match only code that comes from templates.
 */
const TYPES: readonly (readonly [form: RegExp, without: string])[] = [
  [/^import type \{[^{}]*\} from "[^"\n]*";\n/gm, ""],
  [
    /^function ([\w$]+)\(\n? *value: unknown, ?\n? *run: [\w$]+,?\n?\): boolean \{$/gm,
    "function $1(value, run) {",
  ],
  [
    /^export function ([\w$]+)\(\n {2}value: unknown,\n {2}options\?: [\w$]+,\n\): [^\n]+ \{$/gm,
    "export function $1(value, options) {",
  ],
  [/^export const ([\w$]+): [\w$]+ = \{$/gm, "export const $1 = {"],
  [/^export \{\};$/gm, ""],
];

/**
 * Executes the source code of a generated routes.ts or validators.ts without a
 * compiler or files. Removes the TypeScript type syntax first; these two files
 * contain only a few known forms of type syntax.
 *
 * @param siblings exports of modules in the same folder, keyed by module name
 * @throws SyntaxError if type syntax remains in the code
 */
export function evaluate(
  text: string,
  siblings: Readonly<Record<string, Exports>> = {},
): Exports {
  let body = TYPES.reduce(
    (rest, [form, without]) => rest.replace(form, without),
    text,
  );
  const modules: Exports[] = [];
  body = body.replace(
    /^import \{([^{}]*)\} from "([^"\n]+)";$/gm,
    (_, names: string, specifier: string) => {
      const name = specifier.replace(/^.*\/runtime\/|^\.\/|\.js$/g, "");
      modules.push(RUNTIME[name] ?? siblings[name]!);
      return `const {${toDestructuring(names)}} = modules[${modules.length - 1}];`;
    },
  );
  const exported: string[] = [];
  body = body.replace(
    /^export (const|function) ([\w$]+)/gm,
    (_, kind: string, name: string) => {
      exported.push(name);
      return `${kind} ${name}`;
    },
  );
  const code = `"use strict";\n${body}\nreturn { ${exported.join(", ")} };`;
  return new Function("modules", code)(modules) as Exports;
}

/**
 * Converts the names of an import statement to a destructuring pattern, and
 * omits type imports.
 */
function toDestructuring(names: string): string {
  return names
    .split(",")
    .map((binding) => binding.trim())
    .filter((binding) => binding !== "" && !binding.startsWith("type "))
    .map((binding) => binding.replace(" as ", ": "))
    .join(", ");
}
