import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { publicLocations } from "../../src/remote/directory.js";
import { SHARED } from "../support/paths.js";

test("each location of the shared list is found", (context) => {
  const file = path.join(SHARED, "directory-list.json");
  if (!existsSync(file)) return context.skip("the shared documents are absent");
  const { items } = JSON.parse(readFileSync(file, "utf8")) as {
    items: { name: string; version: string; discoveryRestUrl: string }[];
  };
  expect(items.length).toBeGreaterThan(500);
  const unknown = items.filter(
    ({ name, version, discoveryRestUrl }) =>
      !publicLocations(name, version).includes(discoveryRestUrl),
  );
  expect(unknown).toEqual([]);
});
