import {
  hasUploadProtocol,
  isRedirect,
  requestForm,
} from "../../model/bodies.js";
import type { Method } from "../../model/ir.js";
import { NameScope } from "../../model/names.js";
import { Code } from "../../render/typescript/code.js";
import { printNames } from "../../render/typescript/imports.js";
import type { ApiContext } from "../shared/api-context.js";
import type { FileContext } from "../shared/file-context.js";

/**
 * Returns the type exports of index.ts other than schemas. Declarations of
 * functions that use the client refer to these types; if index.ts does not
 * export them, a package that exports only index.ts can fail to compile
 * (TS2742). If names conflict, schemas take precedence.
 */
export function typeExports(
  context: ApiContext,
  file: FileContext,
  taken: readonly string[],
): Code[] {
  const { names, methods } = context;
  const scope = new NameScope([
    ...taken,
    ...names.types.values(),
    ...names.inputs.values(),
  ]);
  const modules = new Map<string, string[]>();
  for (const name of runtimeTypes(methods)) {
    const module = file.runtime(name);
    const entry = exported(name, scope);
    modules.set(module, [...(modules.get(module) ?? []), entry]);
  }
  const interfaces = [...names.resources.values()].flatMap(({ type }) =>
    type === undefined ? [] : [exported(type, scope)],
  );
  const resources = [...names.resources.values()].map(
    ({ file: path, variable }) =>
      new Code(
        `export type * as ${scope.reserve(variable)} from ${JSON.stringify(file.sibling(path))};`,
      ),
  );
  return [
    ...[...modules].map(([module, list]) =>
      exportLine("export type", list, module),
    ),
    ...(interfaces.length === 0
      ? []
      : [exportLine("export type", interfaces, file.sibling("client"))]),
    ...resources,
  ];
}

/**
 * Returns an entry of an export statement, with `as` if the name is already
 * exported.
 */
function exported(name: string, scope: NameScope): string {
  const reserved = scope.reserve(name);
  return reserved === name ? name : `${name} as ${reserved}`;
}

/** Prints an export statement such as `export { a, b } from "module";`. */
export function exportLine(
  head: string,
  names: readonly string[],
  module: string,
): Code {
  return new Code(printNames(head, names, module));
}

/** Returns the names of the runtime types that the types of calls use. */
function runtimeTypes(methods: readonly Method[]): string[] {
  const some = (test: (method: Method) => boolean): boolean =>
    methods.some((method) => test(method));
  const uses: readonly (readonly [string, boolean])[] = [
    ["Bound", methods.length > 0],
    ["BoundMethod", methods.length > 0],
    ["CheckFields", methods.length > 0],
    ["Call", true],
    ["CallOptions", true],
    ["Client", true],
    ["CallResult", true],
    ["SelectedCall", methods.length > 0],
    ["Select", methods.length > 0],
    ["FieldsParameter", methods.length > 0],
    ["Misplaced", methods.length > 0],
    ["PagedCall", some(({ paging }) => paging?.items !== undefined)],
    ["PagesCall", some(({ paging }) => paging !== undefined)],
    ["ListCall", some(({ links }) => links !== undefined)],
    ["Media", some(hasMedia)],
    ["MediaCall", some(hasMedia)],
    ["RedirectCall", some(isRedirect)],
    ["HeadedCall", some((one) => one.responseHeaders !== undefined)],
    ["OperationCall", some((one) => one.operation?.poll !== undefined)],
    ["StreamCall", some(({ stream }) => stream !== undefined)],
    ["MediaParameter", some(({ upload }) => hasUploadProtocol(upload))],
    ["UploadMedia", some(({ upload }) => hasUploadProtocol(upload))],
    ["RawBody", some((one) => requestForm(one) === "content")],
    ["Double", true],
    ["Input", some((one) => requestForm(one) !== "none")],
    ["Patch", some(({ httpMethod }) => httpMethod === "PATCH")],
  ];
  return uses.flatMap(([name, isUsed]) => (isUsed ? [name] : []));
}

function hasMedia(method: Method): boolean {
  const { download, rawResponse } = method;
  return download !== undefined || rawResponse === true || isRedirect(method);
}
