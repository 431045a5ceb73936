import { expect, test } from "vitest";
import { SyncPromise } from "../../../src/runtime/server/adapters/sync-promise.js";

test("tells at once who waits, in order", () => {
  const seen: string[] = [];
  const later = new SyncPromise<number>();
  void later.then((value) => seen.push(`first ${value}`));
  void later.then((value) => seen.push(`second ${value}`));
  later.resolve(1);
  later.resolve(2);
  later.reject(new Error("too late"));
  void later.then((value) => seen.push(`third ${value}`));
  expect(seen).toEqual(["first 1", "second 1", "third 1"]);
});

test("can be awaited, with what was made of it", async () => {
  const later = new SyncPromise<number>();
  const made = later
    .then((value) => value + 1)
    .then(async (value) => value + 1);
  later.resolve(1);
  expect(await made).toBe(3);
});

test("errors pass those who take none", async () => {
  const later = new SyncPromise<number>();
  const ends: string[] = [];
  const made = later
    .then((value) => value + 1)
    .finally(() => void ends.push("end"))
    .catch((error: unknown) => (error as Error).message);
  later.reject(new Error("broken"));
  expect(await made).toBe("broken");
  expect(ends).toEqual(["end"]);
});

test("what a listener throws is the failure of what was made of it", async () => {
  const later = new SyncPromise<number>();
  const made = later.then(() => {
    throw new Error("thrown");
  });
  expect(() => later.resolve(1)).not.toThrow();
  await expect(made).rejects.toThrow("thrown");
});
