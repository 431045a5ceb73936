import {
  parsePattern,
  type Node,
} from "../targets/validator/pattern-parser.js";
import type { Ranges } from "../targets/validator/ranges.js";
import type { Random } from "./random.js";

/** Of an endless repetition: enough to look like a value. */
const USUAL = 8;

/** Length after which repetitions keep to their least. */
const LONG = 200;

/** Length that no value needs: a pattern that asks for more is given up. */
const TOO_LONG = 10_000;

/** A text that matches a pattern; undefined where the pattern is not understood. */
export function textOfPattern(
  source: string,
  random: Random,
): string | undefined {
  const body = source
    .replace(/^\^/, "")
    .replace(/((?:[^\\]|^)(?:\\\\)*)\$$/, "$1");
  // Anchors may also stand within a choice around everything.
  const node = parsePattern(body) ?? parsePattern(`(?:${body})`);
  if (node === undefined) return undefined;
  const writer = { text: "" };
  return write(node, random, writer) ? writer.text : undefined;
}

interface Writer {
  text: string;
}

function write(node: Node, random: Random, writer: Writer): boolean {
  switch (node.kind) {
    case "set": {
      const character = characterOf(node.ranges, random);
      writer.text += character ?? "";
      return character !== undefined;
    }
    case "sequence":
      return node.nodes.every((one) => write(one, random, writer));
    case "choice":
      return write(random.pick(node.nodes), random, writer);
    case "repeat":
      return repeat(node, random, writer);
  }
}

function repeat(
  { node, min, max }: Extract<Node, { kind: "repeat" }>,
  random: Random,
  writer: Writer,
): boolean {
  const most = Math.min(max, Math.max(min, min === 0 ? 3 : USUAL));
  const count =
    writer.text.length > LONG ? min : min + random.below(most - min + 1);
  for (let index = 0; index < count; index++)
    if (writer.text.length > TOO_LONG || !write(node, random, writer))
      return false;
  return true;
}

/** Letters before digits before marks before the rest, as people would choose. */
const PREFERRED: readonly string[] = [
  "abcdefghijklmnopqrstuvwxyz",
  "0123456789",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  "-_. /@:+=!#$%&()*,;<>?[]^`{|}~'\"\\",
];

function characterOf(ranges: Ranges, random: Random): string | undefined {
  for (const characters of PREFERRED) {
    const fitting = [...characters].filter((one) =>
      isWithin(one.charCodeAt(0), ranges),
    );
    if (fitting.length > 0) return random.pick(fitting);
  }
  const [range] = ranges;
  return range && String.fromCharCode(range[0]);
}

function isWithin(code: number, ranges: Ranges): boolean {
  return ranges.some(([first, last]) => first <= code && code <= last);
}
