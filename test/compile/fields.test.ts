import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { COMPILERS, typecheck, type Compiler } from "./typescript.js";

const HEAD = `
import type { CheckFields, Select } from "../client/fields.js";
interface Node { id?: string; name?: string; next?: Node; all?: { [key: string]: Node }; }
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export function yes<T extends true>(): T | void {}
type Accepted<F extends string> = [F] extends [CheckFields<Node, F>] ? true : false;
type Next<N> = N extends { next?: infer M } ? NonNullable<M> : never;
`;

const many = (count: number, part: string, separator = ",") =>
  Array.from({ length: count }, () => part).join(separator);

/** Selectors, and the keys of a Node that they select. */
const READ: readonly (readonly [selector: string, left: string])[] = [
  [`${many(125, "id")},name`, "{ id?: string; name?: string }"],
  [many(120, "next(id)"), "{ next?: { id?: string } }"],
  [many(60, "next.id"), "{ next?: { id?: string } }"],
  [`next(${many(120, "next(id)")})`, "{ next?: { next?: { id?: string } } }"],
  [`${" ".repeat(200)}\n\tid${"\n".repeat(200)}`, "{ id?: string }"],
];

/** Selectors that are too long: nothing is narrowed or rejected. */
const TOO_LONG: readonly string[] = [
  many(128, "id"),
  many(5000, "id"),
  many(2000, "next(id)"),
  many(1000, "next(", "") + "id" + ")".repeat(1000),
  `id${" ".repeat(2000)}`,
  many(600, "next", "."),
  ")".repeat(5000),
  "(".repeat(5000),
];

/** Selectors that are too deep: only the upper levels are narrowed. */
const DEEP: readonly (readonly [selector: string, below: string])[] = [
  [`id,${many(60, "next", "/")}/nope`, '"next"'],
  [`id,${many(5000, "next", "/")}`, '"next"'],
  [`id,${many(100, "next(", "")}nope${")".repeat(100)}`, '"next"'],
  [`id,next/${many(40, "*", "/")}/id`, '"next" | "all"'],
];

function program(): string {
  const left = READ.flatMap(([selector, type]) => {
    const text = JSON.stringify(selector);
    return [
      `yes<Same<Select<Node, ${text}>, ${type}>>();`,
      `yes<Accepted<${text}>>();`,
      `// @ts-expect-error one name is wrong\nyes<Accepted<${JSON.stringify(`nope,${selector}`)}>>();`,
    ];
  });
  const whole = TOO_LONG.flatMap((selector) => {
    const text = JSON.stringify(selector);
    return [
      `yes<Same<Select<Node, ${text}>, Node>>();`,
      `yes<Accepted<${text}>>();`,
    ];
  });
  const deep = DEEP.flatMap(([selector, below]) => {
    const text = JSON.stringify(selector);
    return [
      `yes<Same<keyof Select<Node, ${text}>, "id" | "next">>();`,
      `yes<Same<keyof Next<Select<Node, ${text}>>, ${below}>>();`,
      `yes<Accepted<${text}>>();`,
    ];
  });
  return [HEAD, ...left, ...whole, ...deep, ""].join("\n");
}

test.each(Object.keys(COMPILERS) as Compiler[])(
  "TypeScript %s reads long selectors, or leaves them alone",
  async (compiler) => {
    const folder = temporaryFolder();
    const client = path.join(ROOT, "src/runtime/client");
    mkdirSync(path.join(folder, "programs"));
    cpSync(client, path.join(folder, "client"), { recursive: true });
    writeFileSync(path.join(folder, "programs/long.ts"), program());
    expect(await typecheck(folder, compiler, "DOM", ["programs"])).toBe("");
  },
);
