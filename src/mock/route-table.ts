import { transform } from "sucrase";
import { renderApi } from "../generate/render-api.js";
import type { Api } from "../model/ir.js";
import { methodsOf } from "../model/queries.js";
import * as batch from "../runtime/server/batch.js";
import type { ApiDefinition } from "../runtime/server/contract.js";
import * as rawBody from "../runtime/server/raw-body.js";
import * as uploads from "../runtime/server/uploads.js";
import * as containers from "../runtime/validator/containers.js";
import * as expected from "../runtime/validator/expected.js";
import * as fields from "../runtime/validator/fields.js";
import * as limits from "../runtime/validator/limits.js";
import * as scalars from "../runtime/validator/scalars.js";
import * as validate from "../runtime/validator/validate.js";
import * as union from "../runtime/validator/union.js";
import * as variant from "../runtime/validator/variant.js";
import { serverTarget } from "../targets/server/index.js";
import { validatorTarget } from "../targets/validator/index.js";

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
  "validator/scalars": scalars,
  "validator/union": union,
  "validator/validate": validate,
  "validator/variant": variant,
};

/**
 * Executes the source code of a generated routes.ts or validators.ts without
 * files: sucrase removes the types and converts imports to calls of `require`.
 *
 * @param siblings exports of modules in the same folder, keyed by module name
 */
function evaluate(
  text: string,
  siblings: Readonly<Record<string, Exports>> = {},
): Exports {
  const { code } = transform(text, {
    transforms: ["typescript", "imports"],
    disableESTransforms: true,
  });
  const require = (specifier: string): Exports => {
    const name = specifier.replace(/^.*\/runtime\/|^\.\/|\.js$/g, "");
    return RUNTIME[name] ?? siblings[name]!;
  };
  const exports: Record<string, unknown> = {};
  new Function("require", "exports", code)(require, exports);
  return exports;
}

/** Builds the route table and validators by executing the generated code. */
export function buildRouteTable(model: Api): ApiDefinition {
  if (methodsOf(model.root).length === 0) return EMPTY_API;
  const textOf = renderApi(model, [serverTarget, validatorTarget]);
  const validators = evaluate(textOf("validators.ts"));
  return evaluate(textOf("routes.ts"), { validators })["api"] as ApiDefinition;
}

const EMPTY_API: ApiDefinition = {
  name: "",
  servicePath: "",
  parameters: {},
  methods: [],
};
