import type { Method, Parameter } from "../../model/ir.js";
import { splitHeaders } from "../../model/response-headers.js";
import { pascalCase, safeType } from "../../model/names.js";
import { Code } from "../../render/typescript/code.js";
import { interfaceHead, named } from "../../render/typescript/types.js";
import type { ApiContext } from "../shared/api-context.js";
import { COMMON_HEADERS } from "../shared/common-headers.js";
import type { FileContext } from "../shared/file-context.js";
import { valueNotes } from "../shared/doc-notes.js";
import { memberView } from "../shared/members.js";
import { orNull } from "../shared/types.js";
import type { InterfaceView } from "../shared/views.js";

/**
 * Returns the interface of the response headers that the document declares for
 * all methods (`x-response-headers`).
 */
export function commonHeaders({
  api: { responseHeaders = [] },
}: ApiContext): InterfaceView | undefined {
  if (responseHeaders.length === 0) return undefined;
  const doc =
    "/** Response headers of all methods, as `headers.get` returns them. */\n";
  return headersView(COMMON_HEADERS, new Code(doc), responseHeaders);
}

/**
 * Returns the interface of a method's response headers; undefined if there are
 * none. If all headers of the method are common to all methods, returns the
 * common interface.
 */
export function responseHeaders(
  { responseHeaders: headers = [] }: Method,
  constant: string,
  { api }: ApiContext,
  file: FileContext,
): { readonly name: string; readonly view?: InterfaceView } | undefined {
  if (headers.length === 0) return undefined;
  const shared = api.responseHeaders ?? [];
  const { common, specific } = splitHeaders(headers, shared);
  const base = (): string =>
    file.imports.type(file.sibling("service"), COMMON_HEADERS);
  if (specific.length === 0) return { name: base() };
  const name = file.scope.reserve(safeType(`${pascalCase(constant)}Headers`));
  const doc = new Code(`/** Response headers of {@link ${constant}}. */\n`);
  // If the method redeclares a common header, the interface does not extend the
  // common interface, because the types of the header could conflict.
  const view =
    common.length > 0 && common.length === shared.length
      ? headersView(name, doc, specific, base())
      : headersView(name, doc, headers);
  return { name, view };
}

function headersView(
  name: string,
  doc: Code,
  headers: readonly Parameter[],
  base?: string,
): InterfaceView {
  return {
    doc,
    head: interfaceHead(name, {
      base: base === undefined ? undefined : named(base),
      isEmpty: false,
    }),
    isEmpty: false,
    fields: headers.map(
      ({ name: wire, schema, flags, constraints, description }) =>
        memberView({
          name: wire,
          type:
            flags.required === undefined
              ? orNull(named("string"))
              : named("string"),
          doc: { description, notes: valueNotes(schema, constraints, flags) },
          isOptional: false,
          isReadonly: true,
        }),
    ),
  };
}
