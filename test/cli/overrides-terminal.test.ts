import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fakeCluster, PLAN } from "../support/fake-cluster.js";
import { hasTerminal } from "../support/pty.js";

const QUESTIONS = ["Done?", "Done?", "Done?", "Continue?"];

describe.skipIf(!hasTerminal())(
  "questions at a terminal",
  { timeout: 240_000 },
  () => {
    test("y continues, n stops, and the next run asks again", async () => {
      const cluster = await fakeCluster();
      const yes = QUESTIONS.map((text) => [`${text} [y/N] `, "y\n"] as const);
      const first = await cluster.atTerminal([
        ...yes.slice(0, 3),
        ["Continue? [y/N] ", "n\n"],
      ]);
      expect(first.output).not.toContain("EAGAIN");
      expect(first.output).toContain("B3 stopped: not confirmed");
      expect(first.status).toBe(1);
      expect(cluster.effects().join("\n")).not.toContain("delete");
      const second = await cluster.atTerminal([
        ["B3 deletes resources", ""],
        ["Continue? [y/N] ", "yes\n"],
        ["B4 deletes resources", ""],
        ["Continue? [y/N] ", "\n"],
      ]);
      expect(second.output).toContain(
        "ok: the three deployments of the certificate manager are available",
      );
      expect(second.output).toContain("B4 stopped: not confirmed");
      expect(second.status).toBe(1);
    });

    test.each([
      ["Ctrl-C", "\u0003", 130],
      ["Ctrl-D", "\u0004", 1],
    ])("%s at a question", async (_, key, status) => {
      const cluster = await fakeCluster();
      const ended = await cluster.atTerminal([["Done? [y/N] ", key]]);
      expect(ended.status).toBe(status);
      expect(readdirSync(cluster.folder)).not.toContain(
        "o.yaml.upgrade.json.lock",
      );
      expect((await cluster.upgrade("status", ...PLAN)).output).toContain(
        "next: P3",
      );
      const again = await cluster.atTerminal([["Done? [y/N] ", "n\n"]]);
      expect(again.output).toContain("P3 stopped: not confirmed");
    });

    test("Ctrl-C while a command runs ends both", async () => {
      const cluster = await fakeCluster();
      cluster.script("hang init -f");
      const ended = await cluster.atTerminal(
        [["| it hangs", "\u0003"]],
        "--yes",
      );
      expect(ended.status).toBe(130);
      const again = await cluster.run("--yes");
      expect(again.output).toContain("the upgrade is done");
    });
  },
);
