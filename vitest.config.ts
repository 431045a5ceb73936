import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/**
 * Slow tests that `npm test` leaves to `test:long`: recipes in bash, upgrades and kills of
 * processes, and programs that are compiled in many forms.
 */
const ONLY_LONG = [
  "test/cli/{kill,overrides-upgrade,update-recipes}.test.ts",
  "test/compile/matrix.test.ts",
  "test/property/{exports,overrides-mutations,validator-text}.test.ts",
  "test/services/migration-kill.test.ts",
  "test/unit/diff/uses-commands.test.ts",
];

export default defineConfig({
  resolve: {
    alias: {
      ts6: fileURLToPath(new URL("test/support/ts6.ts", import.meta.url)),
    },
  },
  test: {
    // Many tests wait for processes; the default is one worker on two cores.
    maxWorkers: availableParallelism() + 2,
    globalSetup: ["test/support/memory-folder.ts", "test/support/build.ts"],
    reporters: ["default", "./test/support/summary-reporter.ts"],
    projects: [
      {
        extends: true,
        test: {
          // One worker runs many files without loading the sources for each, so tests
          // must not leave global state behind (this and the next project).
          name: "unit",
          isolate: false,
          include: ["test/{unit,cases,property}/**/*.test.ts"],
          exclude: ONLY_LONG,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: "main",
          isolate: false,
          include: [
            "test/{negative,cli,compile,services}/**/*.test.ts",
            "test/environments/{bare,node}.test.ts",
          ],
          exclude: [
            "test/compile/commonjs.test.ts",
            "test/cli/{hermetic,warm-run}.test.ts",
            ...ONLY_LONG,
          ],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          // Tests that replace modules, which other files of a worker have loaded.
          name: "isolated",
          include: ["test/cli/{hermetic,warm-run}.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          // The tests of `unit` and `main` that are short there, in full: every TypeScript
          // version, long loops of kills and random input (test/support/full.ts).
          name: "long",
          isolate: false,
          env: { TEST_FULL: "1" },
          include: [
            "test/compile/{commonjs,docs,exports,fields,generated,matrix,scaffold,selection}.test.ts",
            "test/unit/{diff/uses-commands,model/key-order,runtime/compile,runtime/upload,runtime/upload-faults,server/types,write/interrupted}.test.ts",
            "test/property/{exports,format,injection,overrides,overrides-mutations,validator-text}.test.ts",
            "test/cli/{kill,remote,overrides-upgrade,update-recipes}.test.ts",
            "test/{negative/fuzz,services/chat,services/migration-kill,services/store-faults}.test.ts",
          ],
          testTimeout: 600_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          // Statements of the source documents (`npm run acceptance`).
          name: "acceptance",
          isolate: false,
          include: ["test/acceptance/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          // Replays of attacks, and a seeded fuzz of each boundary (`npm run attack`).
          name: "attack",
          include: ["test/attack/**/*.test.ts"],
          testTimeout:
            Number(process.env["ATTACK_RUNS"] ?? 300) > 300
              ? 1_800_000
              : 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          // Needs chromium; without it says so and passes, but not in CI.
          name: "browser",
          include: ["test/environments/chromium.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          // Clients and frameworks as their users have them, over loopback.
          name: "conformance",
          include: ["test/conformance/**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          // Needs the shared documents; says so and passes where they are not there.
          name: "corpus",
          env: { TEST_FULL: "1" },
          include: ["test/corpus/**/*.test.ts"],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
