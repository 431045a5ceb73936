// Layout of printed TypeScript, after Wadler ("A prettier printer") and the
// documents of Prettier, whose choices it repeats: a group is printed on one
// line where it fits, else its lines break. Longer than other files: the three
// walks over a layout (print, printFlat, measure) know the same kinds of nodes.
// Lists are a kind of their own instead of groups of indented lines, because
// most layouts are lists: that saves five objects for each.

/** Columns of a line: Prettier's default. */
export const WIDTH = 80;

/** Columns by which each level of indentation moves. */
const STEP = 2;

/** Text with places where lines may break. Strings and arrays are sequences without any. */
export type Layout = string | readonly Layout[] | LayoutNode;

type LayoutNode =
  Line | Indent | Group | IfBroken | List | Hang | Choice | Fill;

interface Line {
  readonly kind: "line";
  readonly flat: "" | " ";
  readonly isBroken: boolean;
}

interface Indent {
  readonly kind: "indent";
  readonly contents: Layout;
  readonly isBroken: boolean;
}

interface Group {
  readonly kind: "group";
  readonly contents: Layout;
  readonly isBroken: boolean;
}

interface IfBroken {
  readonly kind: "if-broken";
  readonly broken: Layout;
  readonly flat: Layout;
  readonly isBroken: false;
}

/** How the items of a list are enclosed and separated. */
export interface ListStyle {
  /** Printed inside the brackets of a list on one line. */
  readonly padding: "" | " ";
  readonly separator: "," | ";";
  /** Printed after the last item of a list that is broken. */
  readonly last: "," | ";" | "";
}

interface List {
  readonly kind: "list";
  readonly open: string;
  readonly items: readonly Layout[];
  readonly close: string;
  readonly style: ListStyle;
  readonly isBroken: boolean;
  /** Breaks with the group around it instead of being a group itself. */
  readonly isBare: boolean;
}

interface Hang {
  readonly kind: "hang";
  readonly head: string;
  readonly contents: Layout;
  readonly isBroken: boolean;
}

interface Choice {
  readonly kind: "choice";
  readonly states: readonly Layout[];
  readonly isBroken: boolean;
}

interface Fill {
  readonly kind: "fill";
  readonly items: readonly string[];
  readonly isBroken: false;
}

/** A blank, or a line feed in a group that is broken. */
export const LINE: Layout = { kind: "line", flat: " ", isBroken: false };

/** Nothing, or a line feed in a group that is broken. */
export const SOFT_LINE: Layout = { kind: "line", flat: "", isBroken: false };

/** Arguments, elements of arrays and tuples. */
export const ITEMS: ListStyle = { padding: "", separator: ",", last: "," };

/** Type arguments, which take no comma after the last. */
export const TYPE_ARGUMENTS: ListStyle = {
  padding: "",
  separator: ",",
  last: "",
};

/** Entries of object literals, and imported or exported names. */
export const ENTRIES: ListStyle = { padding: " ", separator: ",", last: "," };

/** Members of object types. */
export const MEMBERS: ListStyle = { padding: " ", separator: ";", last: ";" };

/** Reports a layout that never fits on one line. */
export function breaks(layout: Layout): boolean {
  if (typeof layout === "string") return false;
  return isSequence(layout) ? layout.some(breaks) : layout.isBroken;
}

/** Contents on one line where they fit, else with all their own lines broken. */
export function group(contents: Layout): Layout {
  return { kind: "group", contents, isBroken: breaks(contents) };
}

/** Contents whose broken lines are indented by another step. */
export function indent(contents: Layout): Layout {
  return { kind: "indent", contents, isBroken: breaks(contents) };
}

/** One text in a broken group, another in one that is on one line. */
export function ifBroken(broken: Layout, flat: Layout = ""): Layout {
  return { kind: "if-broken", broken, flat, isBroken: false };
}

/** Items in brackets: on one line, or each on its own. */
export function list(
  open: string,
  items: readonly Layout[],
  close: string,
  style: ListStyle,
  isBroken = items.some(breaks),
): Layout {
  if (items.length === 0) return open + close;
  return { kind: "list", open, items, close, style, isBroken, isBare: false };
}

/** A list that breaks exactly if the group around it is broken. */
export function bareList(
  open: string,
  items: readonly Layout[],
  close: string,
  style: ListStyle,
): Layout {
  if (items.length === 0) return open + close;
  const isBroken = items.some(breaks);
  return { kind: "list", open, items, close, style, isBroken, isBare: true };
}

/** A call: `name(a, b)`. */
export function callOf(name: string, ...items: readonly Layout[]): Layout {
  return list(`${name}(`, items, ")", ITEMS);
}

/**
 * `head contents`; contents whose first line does not fit behind the head
 * start on the next line, indented.
 */
export function hang(head: string, contents: Layout): Layout {
  return { kind: "hang", head, contents, isBroken: breaks(contents) };
}

/**
 * The first of several states that fits up to the first line feed it prints;
 * the last one is printed with its lines broken where none does.
 */
export function choice(...states: readonly [Layout, ...Layout[]]): Layout {
  return { kind: "choice", states, isBroken: breaks(states[0]) };
}

/** Items with commas, as many on a line as fit. */
export function fill(items: readonly string[]): Layout {
  return { kind: "fill", items, isBroken: false };
}

/** Items with a separator between them. */
export function join(separator: Layout, items: readonly Layout[]): Layout {
  const joined: Layout[] = [];
  for (const item of items) {
    if (joined.length > 0) joined.push(separator);
    joined.push(item);
  }
  return joined;
}

function isSequence(layout: Layout): layout is readonly Layout[] {
  return Array.isArray(layout);
}

// Printing is synchronous and does not call itself: the state of the one run
// at a time is in variables of this module, which saves objects for each.

/** Text printed so far, and the column that it ends at. */
let text = "";
let column = 0;

/** Layouts still to print, the next one last, each with its indentation and mode. */
const pending: Layout[] = [];
const indents: number[] = [];
const modes: boolean[] = [];
let top = 0;

/** Columns that the caller prints behind the layout, before the line ends. */
let reserved = 0;

/** Columns left on the line that is measured. */
let room = 0;

/**
 * Prints a layout.
 * @param indentation columns at the start of the line that it begins on
 * @param used columns of that line before it
 * @param trailing columns that follow on its last line
 */
export function print(
  layout: Layout,
  indentation = 0,
  used = indentation,
  trailing = 0,
): string {
  if (typeof layout === "string") return layout;
  text = "";
  column = used;
  reserved = trailing;
  top = 0;
  push(layout, indentation, true);
  while (top > 0) {
    top--;
    step(pending[top]!, indents[top]!, modes[top]!);
  }
  return text;
}

/** Prints a layout on one line, however long. */
export function printFlat(layout: Layout): string {
  if (typeof layout === "string") return layout;
  if (isSequence(layout)) {
    let line = "";
    for (const part of layout) line += printFlat(part);
    return line;
  }
  switch (layout.kind) {
    case "line":
      return layout.flat;
    case "indent":
    case "group":
      return printFlat(layout.contents);
    case "if-broken":
      return printFlat(layout.flat);
    case "list": {
      const { open, items, close, style } = layout;
      let line = open + style.padding;
      for (const [index, item] of items.entries())
        line +=
          index === 0
            ? printFlat(item)
            : `${style.separator} ${printFlat(item)}`;
      return line + style.padding + close;
    }
    case "hang":
      return `${layout.head} ${printFlat(layout.contents)}`;
    case "choice":
      return printFlat(layout.states[0]!);
    case "fill":
      return layout.items.join(", ");
  }
}

function push(layout: Layout, indentation: number, isBroken: boolean): void {
  pending[top] = layout;
  indents[top] = indentation;
  modes[top] = isBroken;
  top++;
}

function write(part: string): void {
  text += part;
  column += part.length;
}

function newLine(indentation: number): void {
  text += `\n${" ".repeat(indentation)}`;
  column = indentation;
}

/** Prints the next layout, or replaces it by its parts. */
function step(layout: Layout, indentation: number, isBroken: boolean): void {
  if (typeof layout === "string") return write(layout);
  if (isSequence(layout)) {
    for (let index = layout.length - 1; index >= 0; index--)
      push(layout[index]!, indentation, isBroken);
    return;
  }
  switch (layout.kind) {
    case "line":
      return isBroken ? newLine(indentation) : write(layout.flat);
    case "indent":
      return push(layout.contents, indentation + STEP, isBroken);
    case "group":
      if (isFlat(layout, layout.contents, isBroken))
        return write(printFlat(layout.contents));
      return push(layout.contents, indentation, true);
    case "if-broken":
      return push(
        isBroken ? layout.broken : layout.flat,
        indentation,
        isBroken,
      );
    case "list":
      if (layout.isBare ? !isBroken : isFlat(layout, layout, isBroken))
        return write(printFlat(layout));
      return breakList(layout, indentation);
    case "hang":
      return printHang(layout, indentation, isBroken);
    case "choice":
      return printChoice(layout, indentation, isBroken);
    case "fill":
      return isBroken
        ? printFill(layout.items, indentation)
        : write(printFlat(layout));
  }
}

/** Decides whether a group is on one line: always within another one that is. */
function isFlat(
  node: LayoutNode,
  contents: Layout,
  isAroundBroken: boolean,
): boolean {
  if (node.isBroken) return false;
  return !isAroundBroken || fits(contents);
}

function breakList(node: List, indentation: number): void {
  const { items, close, style } = node;
  const inner = indentation + STEP;
  write(node.open);
  push(close, indentation, true);
  push(LINE, indentation, true);
  push(style.last, inner, true);
  for (let index = items.length - 1; index > 0; index--) {
    push(items[index]!, inner, true);
    push(LINE, inner, true);
    push(style.separator, inner, true);
  }
  push(items[0]!, inner, true);
  newLine(inner);
}

function printHang(node: Hang, indentation: number, isBroken: boolean): void {
  write(node.head);
  push(node.contents, indentation, isBroken);
  if (!isBroken || restFits(WIDTH - column - 1)) return write(" ");
  top--;
  push(node.contents, indentation + STEP, true);
  newLine(indentation + STEP);
}

function printChoice(
  { states }: Choice,
  indentation: number,
  isBroken: boolean,
): void {
  const fitting = isBroken ? states.find(fits) : states[0]!;
  if (fitting === undefined) push(states.at(-1)!, indentation, true);
  else push(fitting, indentation, false);
}

function printFill(items: readonly string[], indentation: number): void {
  for (const [index, item] of items.entries()) {
    const isNext = column + 1 + item.length + 1 <= WIDTH;
    if (index > 0 && isNext) write(" ");
    else if (index > 0) newLine(indentation);
    write(`${item},`);
  }
}

/** Result of measuring a layout: the line ends within it, is too long, or continues after it. */
const ENDS = 0;
const IS_TOO_LONG = 1;
const CONTINUES = 2;
type Measure = typeof ENDS | typeof IS_TOO_LONG | typeof CONTINUES;

/** Decides whether a layout and what follows it fit until the line ends. */
function fits(layout: Layout): boolean {
  room = WIDTH - column;
  const measured = measure(layout, false);
  return measured === CONTINUES ? restFits(room) : measured === ENDS;
}

/** Decides whether what is pending fits until the first line that may break. */
function restFits(columns: number): boolean {
  room = columns;
  for (let index = top - 1; index >= 0; index--) {
    const measured = measure(pending[index]!, modes[index]!);
    if (measured !== CONTINUES) return measured === ENDS;
  }
  return room >= reserved;
}

function take(columns: number): Measure {
  room -= columns;
  return room < 0 ? IS_TOO_LONG : CONTINUES;
}

/** Takes the columns of a layout up to the first line that breaks. */
function measure(layout: Layout, isBroken: boolean): Measure {
  if (typeof layout === "string") return take(layout.length);
  if (isSequence(layout)) return measureAll(layout, isBroken);
  switch (layout.kind) {
    case "line":
      return isBroken ? ENDS : take(layout.flat.length);
    case "indent":
      return measure(layout.contents, isBroken);
    case "group":
      return measure(layout.contents, isBroken || layout.isBroken);
    case "if-broken":
      return measure(isBroken ? layout.broken : layout.flat, isBroken);
    case "list":
      return measureList(layout, isBroken || layout.isBroken);
    case "hang":
      return measureHang(layout, isBroken);
    case "choice":
      return isBroken
        ? measure(layout.states.at(-1)!, true)
        : measure(layout.states[0]!, false);
    case "fill":
      return isBroken
        ? endAfter(take(layout.items[0]!.length + 1))
        : take(printFlat(layout).length);
  }
}

function measureAll(layouts: readonly Layout[], isBroken: boolean): Measure {
  for (const part of layouts) {
    const measured = measure(part, isBroken);
    if (measured !== CONTINUES) return measured;
  }
  return CONTINUES;
}

function measureList(node: List, isBroken: boolean): Measure {
  const { items, style } = node;
  const opened = take(node.open.length + (isBroken ? 0 : style.padding.length));
  if (isBroken) return endAfter(opened);
  if (opened !== CONTINUES) return opened;
  for (const item of items) {
    const measured = measure(item, false);
    if (measured !== CONTINUES) return measured;
  }
  const separators = (items.length - 1) * 2;
  return take(separators + style.padding.length + node.close.length);
}

function measureHang({ head, contents }: Hang, isBroken: boolean): Measure {
  const measured = take(head.length + (isBroken ? 0 : 1));
  if (isBroken) return endAfter(measured);
  return measured === CONTINUES ? measure(contents, false) : measured;
}

/** A line feed follows what was measured. */
function endAfter(measured: Measure): Measure {
  return measured === CONTINUES ? ENDS : measured;
}
