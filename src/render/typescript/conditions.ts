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
  SOFT_LINE,
  type Layout,
} from "./layout.js";

/** `if (a && b) return true;`, without the indentation of its first line. */
export function returnIf(
  parts: readonly Layout[],
  indentation: number,
): string {
  const test: Layout[] = [];
  for (const part of parts) {
    if (test.length > 0) test.push(AND);
    test.push(part);
  }
  const head = group([
    "if (",
    group([indent([SOFT_LINE, test]), SOFT_LINE]),
    ")",
  ]);
  return print(group([head, RETURN_TRUE]), indentation);
}

const AND: Layout = [" &&", LINE];
const RETURN_TRUE = indent([LINE, "return true;"]);

/** `return call;`, likewise. */
export function returnCall(value: Layout, indentation: number): string {
  return print(["return ", value, ";"], indentation);
}

/**
 * `const name = /* @__PURE__ *\/ new Kind(…);` with a list or a text as only
 * argument. The annotation lets bundlers drop an unused constant.
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

/** Pairs have a line each; a list that does not fit stays at the parentheses. */
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

/** A pair of an entry of a map. */
export function pair(key: string, value: string): Layout {
  return list("[", [key, value], "]", ITEMS);
}
