import { Code, identifier, quote } from "../../render/typescript/code.js";
import type { Expression } from "../../render/typescript/expressions.js";
import { printData } from "../../render/typescript/literals.js";
import type { ApiContext } from "../shared/api-context.js";
import { FileContext } from "../shared/file-context.js";
import { methodTable } from "./method-table.js";
import type { TableView } from "./views.js";

/**
 * Names and imports of a file that loads large features of the client runtime
 * on demand. The file imports small functions that load the features, instead
 * of the features themselves.
 */
export class OnDemandContext extends FileContext {
  override runtimeValue(name: string): string {
    const isLarge = name === "upload" || name === "operation";
    return super.runtimeValue(isLarge ? `${name}OnDemand` : name);
  }
}

/**
 * Template data for the table of methods, and the expression that creates the
 * client object from the table.
 */
export interface PrintedTable {
  readonly view: TableView;
  readonly bound: Expression;
}

/**
 * Prints the table of an API's methods, and the call that creates the client
 * object from the table.
 */
export function printTable(
  context: ApiContext,
  file: FileContext,
): PrintedTable {
  const { prefix, lines, parts } = methodTable(context, file);
  const table = file.scope.reserve("methodTable");
  const list = file.scope.reserve("methodParts");
  const head = `const ${list} = `;
  const hasParts = parts.length > 0;
  return {
    view: {
      name: identifier(table),
      lines: lines.map((line) => new Code(line)),
      parts: hasParts
        ? new Code(head + printData(parts, 0, head.length))
        : undefined,
    },
    bound: {
      kind: "call",
      name: file.runtimeValue("bindTable"),
      args: ["client", quote(prefix), table, ...(hasParts ? [list] : [])],
    },
  };
}
