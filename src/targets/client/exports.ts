import type { Method } from "../../model/ir.js";
import { NameScope } from "../../model/names.js";
import { methodsOf } from "../../model/queries.js";
import { Code } from "../../render/typescript/code.js";
import { FileContext, type ClientContext } from "../shared/file-context.js";
import { isRedirect, isUpload } from "./features.js";

/**
 * Exports of index.ts that callers need to write, and compilers to name, types
 * of their own functions: a package that exposes its index alone would leave
 * them without (TS2742). Names of schemas keep theirs.
 */
export function typeExports(
  context: ClientContext,
  file: FileContext,
  taken: readonly string[],
): Code[] {
  const { names, api } = context;
  const scope = new NameScope([
    ...taken,
    ...names.types.values(),
    ...names.inputs.values(),
  ]);
  const modules = new Map<string, string[]>();
  for (const name of runtimeTypes(methodsOf(api.root))) {
    const module = file.runtime(name);
    const exported = scope.reserve(name);
    const entry = exported === name ? name : `${name} as ${exported}`;
    modules.set(module, [...(modules.get(module) ?? []), entry]);
  }
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
    ...resources,
  ];
}

/** `export { a, b } from "module";`, laid out. */
export function exportLine(
  head: string,
  list: readonly string[],
  module: string,
): Code {
  const from = `from ${JSON.stringify(module)};`;
  const line = `${head} { ${list.join(", ")} } ${from}`;
  return list.length === 1 || line.length <= 80
    ? new Code(line)
    : new Code(`${head} {\n  ${list.join(",\n  ")},\n} ${from}`);
}

/** Types of the runtime that occur in types of calls. */
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
    ["Answer", true],
    ["Narrow", methods.length > 0],
    ["Select", methods.length > 0],
    ["Selector", methods.length > 0],
    ["PagedCall", some(({ paging }) => paging?.items !== undefined)],
    ["PagesCall", some(({ paging }) => paging !== undefined)],
    ["ListCall", some(({ links }) => links !== undefined)],
    ["Media", some(hasMedia)],
    ["MediaCall", some(hasMedia)],
    ["RedirectCall", some(isRedirect)],
    ["HeadedCall", some((one) => one.responseHeaders !== undefined)],
    ["OperationCall", some((one) => one.operation?.poll !== undefined)],
    ["StreamCall", some(({ stream }) => stream !== undefined)],
    ["UploadMedia", some(({ upload }) => isUpload(upload))],
    ["RawBody", some(({ rawRequest }) => rawRequest === true)],
    ["Double", true],
    ["Input", some(({ request }) => request !== undefined)],
    ["Patch", some(({ httpMethod }) => httpMethod === "PATCH")],
  ];
  return uses.flatMap(([name, isUsed]) => (isUsed ? [name] : []));
}

function hasMedia(method: Method): boolean {
  const { download, rawResponse } = method;
  return download !== undefined || rawResponse === true || isRedirect(method);
}
