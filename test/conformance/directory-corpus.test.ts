// Real documents in the directory: their bytes, their pages, their versions.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { start } from "../../src/services/directory/index.js";
import type { LogLine } from "../../src/services/service.js";
import { listen } from "../../src/services/host.js";
import { memoryStore } from "../../src/services/store/open.js";
import { compareVersions } from "../../src/site/versions.js";
import { SHARED, corpusNames } from "../support/paths.js";

const names = corpusNames();
if (names.length === 0)
  console.log("the directory is not tested with ../shared/corpus: not there");

interface Item {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly preferred: boolean;
}

describe.skipIf(names.length === 0)("real documents", () => {
  it("are served byte by byte, with pages that are small", async () => {
    const log: LogLine[] = [];
    const folder = path.join(SHARED, "corpus");
    const service = await start({
      store: memoryStore(),
      now: Date.now,
      log: (line) => log.push(line),
      folder: undefined,
      config: { folder },
    });
    const host = await listen([service]);
    try {
      const { items } = (await (
        await fetch(`${host.origin}/discovery/v1/apis`)
      ).json()) as { items: Item[] };
      expect(items).toHaveLength(names.length);
      const preferred = items.filter((item) => item.preferred);
      expect(preferred.map(({ name }) => name)).toEqual([
        ...new Set(items.map(({ name }) => name)),
      ]);
      for (const { id, name, version } of items) {
        const rest = `${host.origin}/discovery/v1/apis/${name}/${version}/rest`;
        const got = Buffer.from(await (await fetch(rest)).arrayBuffer());
        const file = path.join(folder, `${name}.${version}.json`);
        const isSame = got.equals(readFileSync(file));
        expect([id, isSame]).toEqual([id, id !== "discovery:v1"]);
        const page = await fetch(`${host.origin}/apis/${name}/${version}`);
        const { length } = await page.text();
        expect([id, page.status, length < 300_000]).toEqual([id, 200, true]);
      }
      // The directory's own description replaces the original.
      expect(log.map(({ event, file }) => [event, file])).toEqual([
        ["document-twin", "discovery.v1.json"],
      ]);
    } finally {
      await host.close();
    }
  });
});

const listFile = path.join(SHARED, "directory-list.json");

it.skipIf(!existsSync(listFile))(
  "prefers the versions that the original prefers",
  () => {
    const { items } = JSON.parse(readFileSync(listFile, "utf8")) as {
      items: Item[];
    };
    const best = [...new Set(items.map(({ name }) => name))].filter((name) => {
      const own = items.filter((item) => item.name === name);
      return !own.sort((a, b) => compareVersions(a.version, b.version))[0]!
        .preferred;
    });
    // Its versions are parts of an API, one of which had to be preferred.
    expect(best).toEqual(["merchantapi"]);
  },
);
