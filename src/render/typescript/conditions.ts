import {
  breaks,
  callOf,
  choice,
  group,
  hang,
  indent,
  ITEMS,
  LINE,
  list,
  print,
  type Layout,
  type ListStyle,
} from "./layout.js";

/**
 * Prints the statement `if (a && b) return true;` with the given conditions.
 * The first line is not indented.
 */
export function returnIf(
  parts: readonly Layout[],
  indentation: number,
): string {
  const test = list("if (", parts, ")", TEST);
  return print(group([test, RETURN_TRUE]), indentation);
}

const TEST: ListStyle = { padding: "", separator: " &&", last: "" };
const RETURN_TRUE = indent([LINE, "return true;"]);

/** Prints the statement `return value;`. The first line is not indented. */
export function returnCall(value: Layout, indentation: number): string {
  return print(["return ", value, ";"], indentation);
}

/**
 * Prints `const name = /* @__PURE__ *\/ new Kind(…);` with a list or a string
 * as the argument of the constructor. The annotation allows bundlers to remove
 * the constant if it is unused.
 */
export function pureConstant(
  name: string,
  kind: string,
  argument: string | readonly Layout[],
): string {
  const head = `/* @__PURE__ */ new ${kind}`;
  const value =
    typeof argument === "string"
      ? callOf(head, argument)
      : callOfList(head, argument);
  return print([hang(`const ${name} =`, value), ";"]);
}

/**
 * Returns a call whose argument is an array literal. If the array has more than
 * one element and all elements are arrays, each element is printed on its own
 * line, as Prettier does.
 */
function callOfList(name: string, items: readonly Layout[]): Layout {
  const isSpread =
    items.length > 1 && items.every((item) => typeof item !== "string");
  const argument = list("[", items, "]", ITEMS, isSpread || items.some(breaks));
  const broken = list("[", items, "]", ITEMS, true);
  return choice(
    [`${name}(`, argument, ")"],
    [`${name}(`, broken, ")"],
    list(`${name}(`, [argument], ")", ITEMS, true),
  );
}

/** Returns the `[key, value]` pair for an entry of a map. */
export function pair(key: string, value: string): Layout {
  return list("[", [key, value], "]", ITEMS);
}
