import { expect, test } from "vitest";
import { StagingNames } from "../../../src/write/stage-group.js";

test("threads with their own numbers never receive the same name", () => {
  const threads = [0, 1, 2, 7].map((thread) => new StagingNames(thread));
  const names = Array.from({ length: 200 }, () =>
    threads.map((thread) => thread.next("old")),
  ).flat();
  expect(new Set(names).size).toBe(names.length);
});
