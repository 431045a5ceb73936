import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { load } from "../../src/generate/api.js";
import { buildMock } from "../../src/mock/index.js";
import type { LogEntry } from "../../src/runtime/server/index.js";
import { validRequests } from "../services/mock-requests.js";
import { corpusNames } from "../support/paths.js";
import { CORPUS, describeCorpus } from "./support.js";

/** Every document can be mocked, and every response matches its schema. */
describeCorpus("mock", () => {
  test.each(corpusNames())("%s", async (name) => {
    const text = readFileSync(path.join(CORPUS, `${name}.json`), "utf8");
    const { api } = load(text, name);
    const logged: LogEntry[] = [];
    const server = buildMock(api!, {
      seed: "corpus",
      strict: false,
      server: { validateResponses: true, log: (entry) => logged.push(entry) },
    });
    const wrong: string[] = [];
    for (const { method, path: target, init } of validRequests(api!)) {
      const response = await server.fetch(
        new Request(`http://mock.test${target}`, init),
      );
      const answer = await response.text();
      const isFine = response.status < 400;
      if (isFine) continue;
      const why = logged.at(-1)?.error;
      wrong.push(
        `${method.id} ${init.method} ${target}: ${response.status} ${why instanceof Error ? why.message : answer}`,
      );
    }
    expect(wrong).toEqual([]);
  });
});
