const WIDTH = 80;

/** Something in brackets, such as a call: each item gets a line where one is too short. */
export interface Bracketed {
  readonly open: string;
  readonly items: readonly string[];
  readonly close: string;
}

/** A part of a condition. Strings never break. */
export type Part = string | Bracketed;

/** `name(a, b)`. */
export function callOf(name: string, ...items: readonly string[]): Bracketed {
  return { open: `${name}(`, items, close: ")" };
}

/** `if (a && b) return true;`, laid out as Prettier does, without its indentation. */
export function returnIf(parts: readonly Part[], indent: number): string {
  const flat = `if (${parts.map(flatPart).join(" && ")})`;
  const pad = " ".repeat(indent);
  if (indent + flat.length + " return true;".length <= WIDTH)
    return `${flat} return true;`;
  if (indent + flat.length <= WIDTH) return `${flat}\n${pad}  return true;`;
  const lines = parts.map((part, index) => {
    const isLast = index === parts.length - 1;
    const text = layOutPart(part, indent + 2, isLast ? 0 : 3);
    return `${pad}  ${text}${isLast ? "" : " &&"}`;
  });
  return `if (\n${lines.join("\n")}\n${pad})\n${pad}  return true;`;
}

/** `return call;`, likewise. */
export function returnCall(call: Bracketed, indent: number): string {
  const used = "return ".length;
  return `return ${layOutPart(call, indent, 1, used)};`;
}

function flatPart(part: Part): string {
  return typeof part === "string"
    ? part
    : part.open + part.items.join(", ") + part.close;
}

function layOutPart(
  part: Part,
  indent: number,
  trailing: number,
  used = 0,
): string {
  const flat = flatPart(part);
  if (typeof part === "string") return flat;
  if (indent + used + flat.length + trailing <= WIDTH) return flat;
  const pad = " ".repeat(indent);
  const lines = part.items.map((item) => `${pad}  ${item},\n`);
  return `${part.open}\n${lines.join("")}${pad}${part.close}`;
}

/**
 * `const name = /* @__PURE__ *\/ new Kind(…);` with a list or a text as only
 * argument, laid out as Prettier does. The note lets bundlers drop it.
 */
export function pureConstant(
  name: string,
  kind: string,
  argument: string | readonly string[],
): string {
  const head = `const ${name} =`;
  const make = `/* @__PURE__ */ new ${kind}(`;
  const flat = flatArgument(argument);
  const room = WIDTH - head.length - 1;
  if (flat !== undefined && make.length + flat.length + 2 <= room)
    return `${head} ${make}${flat});`;
  if (typeof argument !== "string" && make.length + 1 <= room)
    return `${head} ${make}${spread(argument, 0)});`;
  if (make.length <= room)
    return `${head} ${make}\n  ${argumentText(argument, 2)},\n);`;
  const below =
    flat !== undefined && make.length + flat.length + 4 <= WIDTH
      ? flat
      : typeof argument === "string"
        ? `\n    ${argument},\n  `
        : spread(argument, 2);
  return `${head}\n  ${make}${below});`;
}

/** The argument on one line; undefined for a list of lists, which never is. */
function flatArgument(
  argument: string | readonly string[],
): string | undefined {
  if (typeof argument === "string") return argument;
  const isSpread = argument.length > 1 && argument.every(isPair);
  return isSpread ? undefined : `[${argument.join(", ")}]`;
}

/** The argument on lines of its own, a comma behind it. */
function argumentText(
  argument: string | readonly string[],
  indent: number,
): string {
  const flat = flatArgument(argument);
  const fits = flat !== undefined && indent + flat.length + 1 <= WIDTH;
  return fits || typeof argument === "string"
    ? flat!
    : spread(argument, indent);
}

/** A list with a line for each item. */
function spread(items: readonly string[], indent: number): string {
  const pad = " ".repeat(indent);
  const lines = items.map(
    (item) => `${pad}  ${layOutItem(item, indent + 2)},\n`,
  );
  return `[\n${lines.join("")}${pad}]`;
}

function isPair(item: string): boolean {
  return item.startsWith("[");
}

/** A pair that is too long gets a line for each half. */
function layOutItem(item: string, indent: number): string {
  if (!isPair(item) || indent + item.length + 1 <= WIDTH) return item;
  const cut = item.lastIndexOf(", ");
  const pad = " ".repeat(indent);
  return `[\n${pad}  ${item.slice(1, cut)},\n${pad}  ${item.slice(cut + 2, -1)},\n${pad}]`;
}
