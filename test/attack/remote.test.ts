import { test } from "vitest";
import { temporaryFolder } from "../support/paths.js";
import { runFaultPlan } from "../unit/remote/fault-plan.js";
import { forEachSeed, RUNS } from "./support/seeds.js";

test(`${RUNS} seeded fault plans poison neither cache nor lock`, async () => {
  await forEachSeed((choices) => runFaultPlan(choices, temporaryFolder()));
});
