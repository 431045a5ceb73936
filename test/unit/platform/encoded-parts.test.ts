import { expect, test } from "vitest";
import { encodedParts } from "../../../src/platform/encoded-parts.js";
import { hash, hashParts } from "../../../src/platform/hash.js";

/** Text of several parts in which a surrogate pair is at the end of a part. */
const LARGE = `${"a".repeat(2 ** 20 - 1)}\u{1f600}${"é".repeat(2 ** 20)}\ud800`;

test("a large text is encoded in parts like the whole text", () => {
  const parts = [...encodedParts(LARGE)].length;
  expect(parts).toBe(3);
  const copies = Array.from(encodedParts("aé\u{1f600}"), (part) =>
    Buffer.from(part),
  );
  expect(Buffer.concat(copies)).toEqual(Buffer.from("aé\u{1f600}"));
});

test("the hash of parts is that of the whole text", () => {
  expect(hashParts(LARGE)).toBe(hash(LARGE));
  expect(hashParts("")).toBe(hash(""));
});
