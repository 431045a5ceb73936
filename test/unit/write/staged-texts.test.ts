import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hash } from "../../../src/platform/hash.js";
import { memoryStore } from "../../../src/platform/text-store.js";
import { StagingNames } from "../../../src/write/stage-group.js";
import { StagedTexts } from "../../../src/write/staged-texts.js";
import { STAGING } from "../../../src/write/staging.js";
import { temporaryFolder } from "../../support/paths.js";

function staged(): { store: StagedTexts; folder: string } {
  const out = temporaryFolder();
  const folder = `${out}/${STAGING}`;
  mkdirSync(folder);
  return { store: new StagedTexts(out, new StagingNames()), folder };
}

/** Texts of several lengths with characters of one to four bytes. */
const TEXTS = Array.from({ length: 3000 }, (_, index) =>
  `${index}: aé€😀\n`.repeat((index * 7919) % 211),
);

test("parts are in the order of the file, not in that in which they were kept", () => {
  const { store, folder } = staged();
  // Two interleaved sequences, as of check functions and validators, then all
  // parts backwards.
  const half = TEXTS.length / 2;
  const mixed = TEXTS.map(
    (_, index) => (index % 2) * half + Math.floor(index / 2),
  );
  for (const order of [mixed, [...TEXTS.keys()].reverse()]) {
    const parts = TEXTS.map((text) => store.keep(text));
    const texts = order.flatMap((index) => ["\n", TEXTS[index]!]);
    const [file] = store.files([
      { path: "a", parts: order.flatMap((index) => ["\n", parts[index]!]) },
    ]);
    const expected = memoryStore.files([{ path: "a", parts: texts }])[0]!.text;
    const bytes = Buffer.from(expected);
    expect(file!.text === expected).toBe(true);
    expect(file!.stored).toMatchObject({
      size: bytes.length,
      hash: hash(bytes),
    });
    expect(readFileSync(file!.stored!.file).equals(bytes)).toBe(true);
  }
  store.close();
  expect(readdirSync(folder)).toHaveLength(2);
});

test("small files stay in memory, and a text of any length can be a file", () => {
  const { store, folder } = staged();
  const part = store.keep("small");
  const long = "long €".repeat(1 << 20);
  const files = store.files([
    { path: "a", parts: [part, "\n"] },
    { path: "b", parts: [long] },
  ]);
  expect(files[0]).toEqual({ path: "a", text: "small\n" });
  expect(files[1]!.text === long).toBe(true);
  expect(readdirSync(folder)).toHaveLength(1);
  store.close();
});
