import { describe, expect, test } from "vitest";
import {
  bareList,
  callOf,
  choice,
  ENTRIES,
  fill,
  group,
  hang,
  ifBroken,
  indent,
  ITEMS,
  join,
  LINE,
  list,
  MEMBERS,
  print as printLayout,
  printFlat,
  SOFT_LINE,
  TYPE_ARGUMENTS,
  WIDTH,
  type Layout,
} from "../../../src/render/typescript/layout.js";

/** Prints a layout after `used` columns and before `trailing` columns. */
function print(
  layout: Layout,
  indentation = 0,
  used = indentation,
  trailing = 0,
): string {
  const before = "x".repeat(used - indentation);
  const text = printLayout([before, layout, "y".repeat(trailing)], indentation);
  return text.slice(before.length, text.length - trailing);
}

const word = (length: number, letter = "x"): string => letter.repeat(length);

/** Longest line of a text. */
const widest = (text: string): number =>
  Math.max(...text.split("\n").map(({ length }) => length));

describe("a group", () => {
  const contents = ["(", indent([SOFT_LINE, "a", LINE, "b"]), SOFT_LINE, ")"];

  test("is on one line where it fits", () => {
    expect(print(group(contents))).toBe("(a b)");
  });

  test.each([
    [WIDTH - 5, "(a b)"],
    [WIDTH - 4, "(\n  a\n  b\n)"],
  ])("after %i columns is printed as %j", (used, text) => {
    expect(print(group(contents), 0, used)).toBe(text);
  });

  test("reserves the columns that follow it", () => {
    expect(print(group(contents), 0, WIDTH - 5, 1)).toBe("(\n  a\n  b\n)");
    expect(print([group(contents), ";"], 0, WIDTH - 5)).toBe("(\n  a\n  b\n);");
  });

  test("reserves columns up to the next line that may break", () => {
    const text = print([group(contents), ",", LINE, word(70)], 0, WIDTH - 6);
    expect(text).toBe(`(a b),\n${word(70)}`);
  });

  test("breaks its own lines and not those of groups that fit", () => {
    const inner = group(["[", SOFT_LINE, "b", SOFT_LINE, "]"]);
    expect(print(group(["a", LINE, inner]), 0, WIDTH - 3)).toBe("a\n[b]");
  });

  test("breaks where a list in it is broken", () => {
    const broken = list("{", ["a"], "}", ENTRIES, true);
    expect(print(group(["x", LINE, broken]))).toBe("x\n{\n  a,\n}");
  });
});

describe("a list", () => {
  const items = ["a: 1", "b: 2"];

  test.each([
    [ITEMS, "[a: 1, b: 2]", "[\n  a: 1,\n  b: 2,\n]"],
    [TYPE_ARGUMENTS, "[a: 1, b: 2]", "[\n  a: 1,\n  b: 2\n]"],
    [ENTRIES, "[ a: 1, b: 2 ]", "[\n  a: 1,\n  b: 2,\n]"],
    [MEMBERS, "[ a: 1; b: 2 ]", "[\n  a: 1;\n  b: 2;\n]"],
  ])("in the style %j is %j or broken", (style, flat, broken) => {
    const layout = list("[", items, "]", style);
    expect(print(layout)).toBe(flat);
    expect(print(layout, 0, WIDTH - flat.length)).toBe(flat);
    expect(print(layout, 0, WIDTH - flat.length + 1)).toBe(broken);
    expect(printFlat(list("[", items, "]", style, true))).toBe(flat);
  });

  test("without items is its brackets", () => {
    expect(print(list("[", [], "]", ENTRIES, true))).toBe("[]");
    expect(print(bareList("{", [], "}", ENTRIES))).toBe("{}");
  });

  test("indents what its items break", () => {
    const inner = callOf("b", word(50), word(40));
    expect(print(callOf("a", inner))).toBe(
      `a(\n  b(\n    ${word(50)},\n    ${word(40)},\n  ),\n)`,
    );
  });

  test("counts the separator after an item", () => {
    const fitting = word(WIDTH - "  f(),".length);
    expect(print(callOf("a", callOf("f", fitting), "b"))).toBe(
      `a(\n  f(${fitting}),\n  b,\n)`,
    );
    expect(print(callOf("a", callOf("f", `${fitting}x`), "b"))).toBe(
      `a(\n  f(\n    ${fitting}x,\n  ),\n  b,\n)`,
    );
  });

  test("that is bare breaks with the list around it", () => {
    const object = (size: number): Layout =>
      callOf("f", bareList("{", ["a: 1", word(size)], "}", ENTRIES), "options");
    expect(print(object(5))).toBe("f({ a: 1, xxxxx }, options)");
    expect(print(object(70))).toBe(
      `f(\n  {\n    a: 1,\n    ${word(70)},\n  },\n  options,\n)`,
    );
  });
});

describe("contents that hang", () => {
  test.each([
    [WIDTH - 3, `a: ${word(WIDTH - 3)}`],
    [WIDTH - 2, `a:\n  ${word(WIDTH - 2)}`],
  ])("of %i columns stay on the line where they fit", (size, text) => {
    expect(print(hang("a:", word(size)))).toBe(text);
  });

  test("stay on the line where their first line fits", () => {
    const call = callOf("f", word(WIDTH));
    expect(print(hang("a:", call))).toBe(`a: f(\n  ${word(WIDTH)},\n)`);
    expect(print(hang(`${word(WIDTH - 2)}:`, call))).toBe(
      `${word(WIDTH - 2)}:\n  f(\n    ${word(WIDTH)},\n  )`,
    );
  });

  test("reserve the columns that follow", () => {
    expect(print([hang("a:", word(WIDTH - 3)), ","])).toContain("a:\n");
    expect(print(hang("a:", word(WIDTH - 3)), 0, 0, 1)).toContain("a:\n");
  });
});

describe("a choice", () => {
  const argument = list("[", ["a", "b"], "]", ITEMS);
  const broken = list("[", ["a", "b"], "]", ITEMS, true);
  const states = (name: string): Layout =>
    choice(
      [`${name}(`, argument, ")"],
      [`${name}(`, broken, ")"],
      list(`${name}(`, [argument], ")", ITEMS, true),
    );

  test.each([
    [WIDTH - 9, "f([a, b])"],
    [WIDTH - 3, "f([\n  a,\n  b,\n])"],
    [WIDTH - 2, "f(\n  [a, b],\n)"],
  ])("after %i columns is printed as %j", (used, text) => {
    expect(print(states("f"), 0, used)).toBe(text);
  });

  test("is its first state on one line", () => {
    expect(printFlat(states("f"))).toBe("f([a, b])");
  });
});

describe("a fill", () => {
  test("has as many items on a line as fit", () => {
    const items = Array.from({ length: 60 }, (_, index) => String(index));
    const text = print(list("[", [fill(items)], "]", TYPE_ARGUMENTS));
    expect(widest(text)).toBeLessThanOrEqual(WIDTH);
    const [, first, second] = text.split("\n");
    expect(first!.length + 1 + second!.trim().indexOf(",") + 1).toBeGreaterThan(
      WIDTH,
    );
    expect(text.match(/\d+/g)).toEqual(items);
  });

  test("is on one line with its list", () => {
    expect(print(list("[", [fill(["1", "2"])], "]", TYPE_ARGUMENTS))).toBe(
      "[1, 2]",
    );
  });
});

test("text of a broken group is not printed on one line", () => {
  const layout = group([ifBroken("| "), join([LINE, "| "], ["a", "b"])]);
  expect(print(layout)).toBe("a | b");
  expect(print(layout, 0, WIDTH)).toBe("| a\n| b");
});

test("a layout that is printed twice is printed alike", () => {
  const layout = callOf("f", callOf("g", word(50)), word(40));
  const first = print(layout, 4);
  print(callOf("h", word(WIDTH)));
  expect(print(layout, 4)).toBe(first);
});
