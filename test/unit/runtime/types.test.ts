import { resolve } from "node:path";
import { expect, it } from "vitest";
import { languageService, wrongLines } from "./language-service.js";

const source = `
import type { BoundMethod, Call, Double, OptionalMethod, Patch, WithRequired, Writable } from "../src/runtime/client/index.js";

type Open = "a" | "b" | (string & {});
interface Inner { readonly id?: string; on?: boolean }
interface Whole {
  readonly id?: string; name: string; kind?: Open; size?: Double; inner?: Inner;
  list?: Inner[]; labels?: Record<string, string>; anything?: unknown;
}
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export function yes<T extends true>(): T | void {}
export const patch = (body: Patch<Whole>): unknown => body;
declare const whole: Whole;
declare const inner: Inner;

yes<Same<Writable<Inner, "id">, { on?: boolean }>>();
yes<Same<Writable<Inner, "on">, { readonly id?: string }>>();
yes<Same<Writable<Inner, "id">, Inner>>(); // wrong
export type Unknown = Writable<Inner, "nope">; // wrong

yes<Same<WithRequired<Inner, "on">["on"], boolean>>();
yes<Same<WithRequired<Inner, "on">["id"], string | undefined>>();
export const required: WithRequired<Inner, "on"> = { on: true };
export const missing: WithRequired<Inner, "on"> = inner; // wrong

patch(whole);
patch({});
patch({ name: null, kind: "c", size: "NaN", inner: { on: null }, list: null });
patch({ inner: null, labels: { a: null }, anything: null, list: [{ on: true }] });
yes<Same<Required<Patch<Whole>>["kind"], Open | null | undefined>>();
yes<Same<Required<Patch<Whole>>["size"], Double | null | undefined>>();
patch({ name: 1 }); // wrong
patch({ nope: null }); // wrong
patch({ inner: { on: "x" } }); // wrong
patch({ list: [null] }); // wrong
patch({ list: [{ on: null }] }); // wrong

type Get = { fileId: string; fields?: string; pageSize?: number };
export declare const get: OptionalMethod<Get, Call<Whole>>;
export declare const bound: BoundMethod<typeof get>;
export declare const send: BoundMethod<OptionalMethod<
  Get & { media?: { body: string }; auth?: string }, Call<Whole>>>;
declare const base: { auth: { token: string }; fileId: string };
bound({ fileId: "a" });
const stored: Get = { fileId: "a", fields: "name" };
bound(stored);
bound({ ...stored, fields: "name" });
bound({ ...base }); // wrong
bound({ ...base, fileId: "b" }); // wrong
bound(base); // wrong
get(null!, { ...base }); // wrong
const flat = { fileId: "a", resource: { name: "a" } };
bound(flat); // wrong
const headed = { fileId: "a", headers: {} };
bound(headed); // wrong
const content = { fileId: "a", media: { body: "" } };
bound(content); // wrong
send(content);
send({ ...content, auth: "a" });
send({ ...content, resource: {} }); // wrong
export const double: Double[] = [1, "NaN", "Infinity", "-Infinity"];
export const other: Double = "nan"; // wrong
`;

it("the helper types accept valid values only", () => {
  const path = resolve("virtual/types.ts");
  const service = languageService({ [path]: source });
  const wrong = source.split("\n").filter((line) => line.endsWith("// wrong"));
  expect(wrongLines(service, path)).toEqual(wrong);
});
