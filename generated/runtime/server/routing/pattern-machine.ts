/* eslint-disable */
// biome-ignore-all lint: generated

import type { PatternNode } from "./pattern-syntax.js";
import { contains, type UnitRanges } from "./unit-ranges.js";

/**
 * State of the automaton. A state consumes a character, continues with two
 * other states, tests for the start or end of the text, or accepts.
 */
type State =
  | { readonly kind: "set"; readonly ranges: UnitRanges; next: number }
  | { readonly kind: "split"; next: number; other: number }
  | { readonly kind: "edge"; readonly atEnd: boolean; next: number }
  | { readonly kind: "accept" };

/**
 * Maximum number of states. Each character of a tested string needs up to one
 * step per state.
 */
const MAX_STATES = 2_000;

/**
 * Returns a function that tests a string by following all paths through a
 * pattern simultaneously (Thompson 1968). The running time is proportional to
 * the length of the string and to the number of states. Returns undefined if
 * the pattern needs too many states.
 */
export function simulate(
  node: PatternNode,
): ((text: string) => boolean) | undefined {
  const states: State[] = [{ kind: "accept" }];
  const start = build(node, 0, states);
  return start === undefined
    ? undefined
    : (text) => runMachine(states, start, text);
}

/**
 * Adds the states for a node of the pattern; the state `next` follows them.
 * Returns the first of these states, or undefined if the limit is exceeded.
 */
function build(
  node: PatternNode,
  next: number,
  states: State[],
): number | undefined {
  if (states.length > MAX_STATES) return undefined;
  switch (node.kind) {
    case "set":
      return push(states, { kind: "set", ranges: node.ranges, next });
    case "edge":
      return push(states, { kind: "edge", atEnd: node.atEnd, next });
    case "sequence":
      return node.of.reduceRight<number | undefined>(
        (after, one) =>
          after === undefined ? undefined : build(one, after, states),
        next,
      );
    case "alternation":
      return buildAlternation(node.of, next, states);
    case "repeat":
      return buildRepeat(node, next, states);
  }
}

function buildAlternation(
  options: readonly PatternNode[],
  next: number,
  states: State[],
): number | undefined {
  const [first, ...rest] = options.map((one) => build(one, next, states));
  return rest.reduce<number | undefined>(
    (other, start) =>
      other === undefined || start === undefined
        ? undefined
        : push(states, { kind: "split", next: start, other }),
    first,
  );
}

function buildRepeat(
  { of, min, max }: Extract<PatternNode, { kind: "repeat" }>,
  next: number,
  states: State[],
): number | undefined {
  let start: number | undefined = next;
  if (max === Infinity) {
    const loop = push(states, { kind: "split", next: 0, other: next });
    const inner = build(of, loop, states);
    if (inner === undefined) return undefined;
    (states[loop] as { next: number }).next = inner;
    start = loop;
  }
  for (let count = max === Infinity ? 0 : max - min; count > 0; count--) {
    const inner: number | undefined = build(of, start, states);
    if (inner === undefined) return undefined;
    start = push(states, { kind: "split", next: inner, other: next });
  }
  for (let count = min; count > 0 && start !== undefined; count--)
    start = build(of, start, states);
  return start;
}

function push(states: State[], state: State): number {
  return states.push(state) - 1;
}

/** For each state, position in the text at which it was last reached. */
type Marks = Int32Array;

function runMachine(
  states: readonly State[],
  start: number,
  text: string,
): boolean {
  const marks = new Int32Array(states.length).fill(-1);
  let waiting: number[] = [];
  if (follow(states, start, 0, text.length, waiting, marks)) return true;
  for (let at = 0; at < text.length && waiting.length > 0; at++) {
    const unit = text.charCodeAt(at);
    const after: number[] = [];
    for (const index of waiting) {
      const state = states[index] as Extract<State, { kind: "set" }>;
      if (!contains(unit, state.ranges)) continue;
      if (follow(states, state.next, at + 1, text.length, after, marks))
        return true;
    }
    waiting = after;
  }
  return false;
}

/**
 * Adds to `waiting` all states that consume a character and can be reached from
 * a given state. Returns true if the accepting state can be reached.
 */
function follow(
  states: readonly State[],
  start: number,
  at: number,
  length: number,
  waiting: number[],
  marks: Marks,
): boolean {
  const queue = [start];
  for (let index = queue.pop(); index !== undefined; index = queue.pop()) {
    if (marks[index] === at) continue;
    marks[index] = at;
    const state = states[index]!;
    if (state.kind === "accept") return true;
    if (state.kind === "set") waiting.push(index);
    else if (state.kind === "split") queue.push(state.next, state.other);
    else if (at === (state.atEnd ? length : 0)) queue.push(state.next);
  }
  return false;
}
