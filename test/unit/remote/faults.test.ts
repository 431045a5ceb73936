import { afterAll, test } from "vitest";
import { forEachSeed } from "../../attack/support/seeds.js";
import { temporaryFolder } from "../../support/paths.js";
import { runFaultPlan } from "./fault-plan.js";

const cacheHome = process.env["XDG_CACHE_HOME"];
afterAll(() => {
  process.env["XDG_CACHE_HOME"] = cacheHome;
});

test("10 seeded fault plans poison neither cache nor lock", async () => {
  await forEachSeed((choices) => runFaultPlan(choices, temporaryFolder()), 10);
});
