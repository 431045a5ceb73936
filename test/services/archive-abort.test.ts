import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { fileOutput } from "../../src/services/migration/archive-storage.js";
import { writeArchive } from "../../src/services/migration/archive-writer.js";
import { temporaryFolder } from "../support/paths.js";
import { randomOf } from "../support/random-values.js";

test("aborting an archive at any moment fails only the archive", async () => {
  const folder = temporaryFolder();
  const source = path.join(folder, "source");
  writeFileSync(source, Buffer.alloc(512 * 1024, "archive"));
  const next = randomOf(5);
  let failed = 0;
  for (let round = 0; round < 40; round++) {
    const controller = new AbortController();
    const file = path.join(folder, `${round}.tar.gz`);
    const settings = {
      output: fileOutput(file, path.join(folder, "draft")),
      progress: { bytes: 0, repositories: 0 },
      time: new Date(0),
      limit: 1e9,
      signal: controller.signal,
    };
    const written = writeArchive(settings, async (writer) => {
      for (let count = 0; count < 4; count++) {
        await writer.json(`${count}.json`, { count });
        if (round % 8 === 1) controller.abort();
        await writer.file(`${count}`, source);
      }
    });
    // Also before the start and before one of its parts.
    if (round % 4 === 0) controller.abort();
    else setTimeout(() => controller.abort(), next() * 12);
    await written.then(
      () => expect(existsSync(file)).toBe(true),
      () => {
        failed++;
        expect(existsSync(file)).toBe(false);
      },
    );
  }
  expect(failed).toBeGreaterThan(0);
});
