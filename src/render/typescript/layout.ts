// Layout of generated TypeScript, based on Wadler ("A prettier printer"). The
// kinds of nodes and the rules for breaking lines are those of Prettier's
// document format: a group is printed on one line if it fits; otherwise its
// lines are broken. Lists are a separate kind of node, although groups of
// indented lines could represent them: most layouts are lists, and this saves
// five objects for each list. This file is longer than others because the three
// functions that traverse a layout (put, putFlat, measure) handle the same
// kinds of nodes.

import { joined } from "./joined.js";

/** Maximum line length in columns (the default of Prettier). */
export const WIDTH = 80;

/** Number of columns of one indentation level. */
export const STEP = 2;

/**
 * Text with possible line breaks. A string contains no line breaks; an array is
 * a sequence of layouts.
 */
export type Layout = string | readonly Layout[] | LayoutNode;

type LayoutNode =
  Line | Indent | Group | IfBroken | List | Hang | Choice | Fill;

/** Members that all kinds of nodes share. */
interface Node<Kind extends string> {
  readonly kind: Kind;
  /**
   * True if the node contains a forced line break, so that it can't be printed
   * on one line.
   */
  readonly isBroken: boolean;
}

interface Line extends Node<"line"> {
  readonly flat: "" | " ";
}

interface Indent extends Node<"indent"> {
  readonly contents: Layout;
}

interface Group extends Node<"group"> {
  readonly contents: Layout;
}

interface IfBroken extends Node<"if-broken"> {
  readonly broken: string;
  readonly flat: string;
}

interface List extends Node<"list"> {
  readonly open: string;
  readonly items: readonly Layout[];
  readonly close: string;
  readonly style: ListStyle;
  /**
   * True if the list is broken if and only if its parent group is broken. False
   * if the list is a group.
   */
  readonly isBare: boolean;
}

interface Hang extends Node<"hang"> {
  readonly head: string;
  readonly contents: Layout;
}

interface Choice extends Node<"choice"> {
  readonly states: readonly Layout[];
}

interface Fill extends Node<"fill"> {
  readonly items: readonly string[];
}

/** Spaces and separators of a printed list. */
export interface ListStyle {
  /**
   * Text after the opening bracket and before the closing bracket of a list on
   * one line.
   */
  readonly padding: "" | " ";
  /** Text after each item except the last; followed by a space or line feed. */
  readonly separator: string;
  /** Text after the last item of a broken list. */
  readonly last: string;
}

/** List style for arguments and for elements of arrays and tuples. */
export const ITEMS: ListStyle = { padding: "", separator: ",", last: "," };

/** List style for type arguments, which have no trailing comma. */
export const TYPE_ARGUMENTS: ListStyle = { ...ITEMS, last: "" };

/**
 * List style for entries of object literals, and for imported and exported
 * names.
 */
export const ENTRIES: ListStyle = { ...ITEMS, padding: " " };

/** List style for members of object types. */
export const MEMBERS: ListStyle = { padding: " ", separator: ";", last: ";" };

/**
 * Line that is printed as a line feed if its group is broken, otherwise as a
 * space.
 */
export const LINE: Layout = { kind: "line", flat: " ", isBroken: false };

/**
 * Line that is printed as a line feed if its group is broken, otherwise as an
 * empty string.
 */
export const SOFT_LINE: Layout = { kind: "line", flat: "", isBroken: false };

/**
 * Returns a group. A group is printed on one line if it fits; otherwise all
 * lines that belong directly to the group are broken.
 */
export function group(contents: Layout): Layout {
  return { kind: "group", contents, isBroken: breaks(contents) };
}

/** Returns a layout whose lines are indented by one more level. */
export function indent(contents: Layout): Layout {
  return { kind: "indent", contents, isBroken: breaks(contents) };
}

/**
 * Returns text that depends on the enclosing group: `broken` if the group is
 * broken, otherwise `flat`.
 */
export function ifBroken(broken: string, flat = ""): Layout {
  return { kind: "if-broken", broken, flat, isBroken: false };
}

/**
 * Returns a list in brackets, printed either on one line or with each item on
 * its own line.
 */
export function list(
  open: string,
  items: readonly Layout[],
  close: string,
  style: ListStyle,
  isBroken = anyBreaks(items),
): Layout {
  if (items.length === 0) return open + close;
  return { kind: "list", open, items, close, style, isBare: false, isBroken };
}

/** Returns a list that is broken if and only if its parent group is broken. */
export function bareList(
  open: string,
  items: readonly Layout[],
  close: string,
  style: ListStyle,
): Layout {
  if (items.length === 0) return open + close;
  const isBroken = anyBreaks(items);
  return { kind: "list", open, items, close, style, isBare: true, isBroken };
}

/** Returns a call: `name(a, b)`. */
export function callOf(name: string, ...items: readonly Layout[]): Layout {
  return list(`${name}(`, items, ")", ITEMS);
}

/**
 * Returns the layout `head contents`. If the first line of `contents` does not
 * fit after `head`, `contents` starts on the next line, indented.
 */
export function hang(head: string, contents: Layout): Layout {
  return { kind: "hang", head, contents, isBroken: breaks(contents) };
}

/**
 * Returns a choice between several layouts. The first layout that fits up to
 * its first line feed is printed. If none fits, the last one is printed with
 * broken lines.
 */
export function choice(...states: readonly [Layout, ...Layout[]]): Layout {
  return { kind: "choice", states, isBroken: breaks(states[0]) };
}

/**
 * Returns items separated by commas, with as many items on each line as fit.
 */
export function fill(items: readonly string[]): Layout {
  return { kind: "fill", items, isBroken: false };
}

/** Returns items with a separator between them. */
export function join(separator: Layout, items: readonly Layout[]): Layout {
  const joined: Layout[] = [];
  for (let index = 0; index < items.length; index++) {
    if (index > 0) joined.push(separator);
    joined.push(items[index]!);
  }
  return joined;
}

/**
 * Tests whether a layout contains a forced line break, so that it can't be
 * printed on one line.
 */
export function breaks(layout: Layout): boolean {
  if (typeof layout === "string") return false;
  return isSequence(layout) ? anyBreaks(layout) : layout.isBroken;
}

function anyBreaks(layouts: readonly Layout[]): boolean {
  for (let index = 0; index < layouts.length; index++)
    if (breaks(layouts[index]!)) return true;
  return false;
}

function isSequence(layout: Layout): layout is readonly Layout[] {
  return Array.isArray(layout);
}

// The state of the printer is stored in module variables, because only one
// layout is printed at a time. This way, no state object is created for each
// call.

/** Text printed so far, and the column at which it ends. */
let text = "";
let column = 0;

/**
 * Stack of the sequences that are being printed. For each sequence, `nextParts`
 * contains the index of the next part, and `modes` contains true if the
 * enclosing group is broken.
 */
const sequences: (readonly Layout[])[] = [];
const nextParts: number[] = [];
const modes: boolean[] = [];
let depth = 0;

/**
 * Number of sequences at the bottom of the stack that continue only after the
 * next line feed. The function `fits` ignores them.
 */
let base = 0;

/**
 * Number of columns that must remain free at the end of the current line, for
 * the text after the layout.
 */
let reserved = 0;

/**
 * Number of columns that remain on the line while a layout is being measured.
 */
let remaining = 0;

/**
 * Prints a layout.
 * @param indentation columns at the start of the line on which the layout
 *   begins
 */
export function print(layout: Layout, indentation = 0): string {
  if (typeof layout === "string") return layout;
  text = "";
  column = indentation;
  reserved = 0;
  base = 0;
  depth = 0;
  put(layout, indentation, true);
  return joined(text);
}

/** Prints a layout on one line, regardless of its length. */
export function printFlat(layout: Layout): string {
  if (typeof layout === "string") return layout;
  text = "";
  putFlat(layout);
  return text;
}

function write(part: string): void {
  text += part;
  column += part.length;
}

function newLine(indentation: number): void {
  text += MARGINS[indentation] ?? `\n${" ".repeat(indentation)}`;
  column = indentation;
}

/**
 * Line feeds followed by 0 to 23 spaces of indentation. The strings are
 * precomputed for speed.
 */
const MARGINS = Array.from(
  { length: 24 },
  (_, indentation) => `\n${" ".repeat(indentation)}`,
);

/** Prints a layout. Its lines are broken if the enclosing group is broken. */
function put(layout: Layout, indentation: number, isBroken: boolean): void {
  if (typeof layout === "string") return write(layout);
  if (isSequence(layout)) return putSequence(layout, indentation, isBroken);
  switch (layout.kind) {
    case "line":
      return isBroken ? newLine(indentation) : write(layout.flat);
    case "indent":
      return put(layout.contents, indentation + STEP, isBroken);
    case "group":
      return isFlat(layout, isBroken)
        ? putFlat(layout.contents)
        : put(layout.contents, indentation, true);
    case "if-broken":
      return write(isBroken ? layout.broken : layout.flat);
    case "list":
      return isFlat(layout, isBroken)
        ? putFlat(layout)
        : putList(layout, indentation);
    case "hang":
      return putHang(layout, indentation, isBroken);
    case "choice":
      return putChoice(layout, indentation, isBroken);
    case "fill":
      return isBroken ? putFill(layout.items, indentation) : putFlat(layout);
  }
}

/**
 * Tests whether a group is printed on one line. Always true if its parent group
 * is on one line.
 */
function isFlat(node: Group | List, isAroundBroken: boolean): boolean {
  if (node.isBroken) return false;
  if (!isAroundBroken) return true;
  return !(node.kind === "list" && node.isBare) && fits(node);
}

function putSequence(
  parts: readonly Layout[],
  indentation: number,
  isBroken: boolean,
): void {
  const level = depth++;
  sequences[level] = parts;
  modes[level] = isBroken;
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!;
    nextParts[level] = index + 1;
    if (typeof part === "string") write(part);
    else put(part, indentation, isBroken);
  }
  depth = level;
}

/** Prints a list with each item on its own line. */
function putList(
  { open, items, close, style }: List,
  indentation: number,
): void {
  const outerBase = base;
  const outerReserved = reserved;
  const { separator, last } = style;
  const inner = indentation + STEP;
  const end = items.length - 1;
  write(open);
  base = depth;
  for (let index = 0; index <= end; index++) {
    const after = index < end ? separator : last;
    reserved = after.length;
    newLine(inner);
    put(items[index]!, inner, true);
    write(after);
  }
  base = outerBase;
  reserved = outerReserved;
  newLine(indentation);
  write(close);
}

function putHang(
  { head, contents }: Hang,
  indentation: number,
  isBroken: boolean,
): void {
  write(head);
  if (!isBroken || fitsAfter(1, contents)) {
    write(" ");
    return put(contents, indentation, isBroken);
  }
  newLine(indentation + STEP);
  put(contents, indentation + STEP, true);
}

function putChoice(
  { states }: Choice,
  indentation: number,
  isBroken: boolean,
): void {
  const fitting = isBroken ? states.find(fits) : states[0]!;
  if (fitting !== undefined) put(fitting, indentation, false);
  else put(states.at(-1)!, indentation, true);
}

function putFill(items: readonly string[], indentation: number): void {
  for (let index = 0; index < items.length; index++) {
    const item = `${items[index]!},`;
    if (index > 0 && column + 1 + item.length <= WIDTH) write(" ");
    else if (index > 0) newLine(indentation);
    write(item);
  }
}

/** Prints a layout on one line, as part of the current line. */
function putFlat(layout: Layout): void {
  if (typeof layout === "string") return write(layout);
  if (isSequence(layout)) {
    for (let index = 0; index < layout.length; index++) putFlat(layout[index]!);
    return;
  }
  switch (layout.kind) {
    case "line":
    case "if-broken":
      return write(layout.flat);
    case "indent":
    case "group":
      return putFlat(layout.contents);
    case "list":
      return putFlatList(layout);
    case "hang":
      write(`${layout.head} `);
      return putFlat(layout.contents);
    case "choice":
      return putFlat(layout.states[0]!);
    case "fill":
      return write(layout.items.join(", "));
  }
}

function putFlatList({ open, items, close, style }: List): void {
  write(open + style.padding);
  for (let index = 0; index < items.length; index++) {
    if (index > 0) write(`${style.separator} `);
    putFlat(items[index]!);
  }
  write(style.padding + close);
}

/**
 * Results of measuring a layout. `ENDS`: the layout contains a line feed, and
 * the text before it fits. `IS_TOO_LONG`: the layout does not fit on the line.
 * `CONTINUES`: the layout fits, and the line continues after it.
 */
const ENDS = 0;
const IS_TOO_LONG = 1;
const CONTINUES = 2;
type Measure = typeof ENDS | typeof IS_TOO_LONG | typeof CONTINUES;

/**
 * Tests whether a layout fits on the current line, together with the text after
 * it up to the next possible line feed.
 */
function fits(layout: Layout): boolean {
  remaining = WIDTH - column;
  return restFits(measure(layout, false));
}

/**
 * Tests whether a layout that may be broken fits on the current line after
 * `columns` more columns, up to the next possible line feed.
 */
function fitsAfter(columns: number, contents: Layout): boolean {
  remaining = WIDTH - column - columns;
  return restFits(remaining < 0 ? IS_TOO_LONG : measure(contents, true));
}

/**
 * Tests whether the text after a measured layout, up to the next possible line
 * feed, fits on the current line.
 * @param part result of measuring the layout
 */
function restFits(part: Measure): boolean {
  let measured = part;
  for (let level = depth - 1; level >= base; level--) {
    const parts = sequences[level]!;
    const isBroken = modes[level]!;
    for (let index = nextParts[level]!; index < parts.length; index++) {
      if (measured !== CONTINUES) return measured === ENDS;
      measured = measure(parts[index]!, isBroken);
    }
  }
  return measured === CONTINUES ? remaining >= reserved : measured === ENDS;
}

function take(columns: number): Measure {
  remaining -= columns;
  return remaining < 0 ? IS_TOO_LONG : CONTINUES;
}

/**
 * Subtracts the width of a layout, up to its first possible line feed, from
 * `remaining`. Returns whether the line ends, is too long, or continues.
 */
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
      return take((isBroken ? layout.broken : layout.flat).length);
    case "list":
      return isBroken || layout.isBroken
        ? endAfter(take(layout.open.length))
        : measureFlatList(layout);
    case "hang":
      return isBroken
        ? endAfter(take(layout.head.length))
        : measureAll([layout.head, " ", layout.contents], false);
    case "choice":
      return measure(layout.states.at(isBroken ? -1 : 0)!, isBroken);
    case "fill":
      return isBroken
        ? endAfter(take(layout.items[0]!.length + 1))
        : take(layout.items.join(", ").length);
  }
}

function measureAll(layouts: readonly Layout[], isBroken: boolean): Measure {
  for (let index = 0; index < layouts.length; index++) {
    const measured = measure(layouts[index]!, isBroken);
    if (measured !== CONTINUES) return measured;
  }
  return CONTINUES;
}

function measureFlatList({ open, items, close, style }: List): Measure {
  const { padding, separator } = style;
  const separators = (items.length - 1) * (separator.length + 1);
  const measured = take(open.length + padding.length + separators);
  if (measured !== CONTINUES) return measured;
  const inner = measureAll(items, false);
  if (inner !== CONTINUES) return inner;
  return take(padding.length + close.length);
}

/**
 * Returns the result of measuring a layout with a possible line feed after it.
 */
function endAfter(measured: Measure): Measure {
  return measured === CONTINUES ? ENDS : measured;
}
