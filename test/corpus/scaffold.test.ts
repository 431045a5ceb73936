import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { load } from "../../src/generate/api.js";
import { Sink } from "../../src/diagnostics/sink.js";
import { freshService } from "../../src/scaffold/index.js";
import { membersOf } from "../../src/scaffold/tree.js";
import { update } from "../../src/scaffold/update.js";
import { nameApi } from "../../src/targets/shared/naming.js";
import { typecheck } from "../compile/typescript.js";
import { corpusServer, writeServers } from "./servers.js";
import {
  describeCorpus,
  readDocument,
  SAMPLE,
  suiteFolder,
} from "./support.js";

/** Scaffolds of real documents, new and extended ones. */
describeCorpus("scaffold", () => {
  const folder = suiteFolder();

  test("compiles", async () => {
    mkdirSync(path.join(folder, "src"), { recursive: true });
    const servers = SAMPLE.map((name) => corpusServer(name));
    writeServers(path.join(folder, "out"), servers);
    for (const [index, name] of SAMPLE.entries()) {
      const { api } = load(JSON.stringify(readDocument(name)), name);
      const { title } = nameApi(api!, new Sink());
      const members = membersOf(api!);
      const modules = {
        server: `../out/${servers[index]!.folder}/server.js`,
        runtime: "../out/runtime/server/index.js",
        suffix: ".js",
      };
      const file = path.join(folder, `src/${name}.ts`);
      const fresh = freshService(title, members, modules);
      writeFileSync(file, fresh);
      const before = Buffer.from(
        fresh.replace(/Service = \{[^]*$/, "Service = {};\n"),
      );
      const sink = new Sink(file);
      const found = update({ file, before, title, members, modules }, sink);
      expect(sink.diagnostics).toEqual([]);
      expect(found?.after.toString()).toBe(fresh);
    }
    expect(await typecheck(folder, "7", "@types/node", ["src"])).toBe("");
  });
});
