import { generalPath } from "../path.js";
import type { Node } from "./tree.js";

/** Properties of a file by general path, each with the offset of its first key. */
export type Outline = ReadonlyMap<string, number>;

/** The properties of a tree. */
export function outlineOf(root: Node): Outline {
  const outline = new Map<string, number>();
  const visit = (node: Node, path: readonly (string | number)[]): void => {
    if (node.kind === "list")
      node.items.forEach((item, index) => visit(item, [...path, index]));
    if (node.kind !== "map") return;
    for (const { key, keyRange, value } of node.entries) {
      const own = [...path, key];
      const text = generalPath(own);
      if (!outline.has(text)) outline.set(text, keyRange.start);
      visit(value, own);
    }
  };
  visit(root, []);
  return outline;
}

const LINE =
  /^([ \t]*)((?:- +)*)(?:"([\w.-]+)"|'([\w.-]+)'|([\w.-]+)) *:(?:\s|$)/;

/** The properties of a text that is no YAML yet, as its indentation tells them. */
export function outlineOfText(text: string): Outline {
  const outline = new Map<string, number>();
  const open: { indent: number; path: string }[] = [];
  let offset = 0;
  for (const line of text.split("\n")) {
    const found = LINE.exec(line);
    if (found !== null) {
      const [, space = "", dashes = ""] = found;
      const key = found[3] ?? found[4] ?? found[5]!;
      note({ space, dashes, key, offset });
    }
    offset += line.length + 1;
  }
  return outline;

  function note(found: {
    space: string;
    dashes: string;
    key: string;
    offset: number;
  }): void {
    const isItem = found.dashes !== "";
    const indent = found.space.length + found.dashes.length;
    // A list may stand at the indentation of its key.
    const limit = isItem ? found.space.length + 1 : indent;
    while (open.length > 0 && open.at(-1)!.indent >= limit) {
      open.pop();
    }
    const parent = open.at(-1)?.path ?? "";
    const base = isItem && parent !== "" ? `${parent}[]` : parent;
    const path = base === "" ? found.key : `${base}.${found.key}`;
    if (isItem) open.push({ indent: indent - 1, path: base });
    open.push({ indent, path });
    const at = found.offset + indent;
    if (!outline.has(path)) outline.set(path, at);
  }
}
