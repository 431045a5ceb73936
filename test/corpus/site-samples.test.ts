// Samples of the site for the generated client, as programs that compile against
// the client which the same version generates.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { buildSite } from "../../src/site/static/build-site.js";
import { typecheck } from "../compile/typescript.js";
import {
  CORPUS,
  describeCorpus,
  generate,
  SAMPLE,
  suiteFolder,
} from "./support.js";

/** Documents besides SAMPLE: operations, watches, numbers in names, Markdown. */
const NAMES = [
  ...SAMPLE.filter((name) => name !== "compute.v1"),
  "calendar.v3",
  "gmail.v1",
  "sheets.v4",
  "translate.v3",
];

const SAMPLES =
  /data-language="ts"[^>]*>[^]*?<code>([^]*?)<\/code><\/pre>\s*<\/figure>/g;

function textOf(markup: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
    "&amp;": "&",
  };
  return markup.replace(/&(?:lt|gt|quot|#39|amp);/g, (one) => entities[one]!);
}

/** Returns the distinct samples of a site with the pages that contain them. */
function samplesOf(names: readonly string[]): Map<string, string> {
  const documents = names.map((name) =>
    readFileSync(path.join(CORPUS, `${name}.json`)),
  );
  const samples = new Map<string, string>();
  for (const { path: page, text } of buildSite(documents))
    if (page.endsWith(".html"))
      for (const [, markup] of text.matchAll(SAMPLES))
        samples.set(textOf(markup!), page);
    else if (page.endsWith(".md"))
      for (const [, code] of text.matchAll(/^```ts\n([^]*?)\n```$/gm))
        samples.set(code!, page);
  return samples;
}

describeCorpus("samples of a site", () => {
  const folder = suiteFolder();

  it("compile against the generated client", async () => {
    const samples = samplesOf(NAMES);
    expect(samples.size).toBeGreaterThan(900);
    const specs = NAMES.map((name) => path.join(CORPUS, `${name}.json`));
    await generate(path.join(folder, "generated"), specs);
    const pages: string[] = [];
    for (const [code, page] of samples) {
      writeFileSync(path.join(folder, `sample-${pages.length}.ts`), code);
      pages.push(page);
    }
    const errors = await typecheck(
      folder,
      "7",
      "@types/node",
      ["sample-*.ts"],
      {
        // A reader's program is not a library.
        declaration: false,
        isolatedDeclarations: false,
        noPropertyAccessFromIndexSignature: false,
        noUnusedLocals: false,
      },
    );
    console.info(`${samples.size} samples of ${NAMES.length} documents`);
    expect(
      errors.replace(
        /^sample-(\d+)\.ts/gm,
        (file, at) => `${pages[Number(at)]} (${file})`,
      ),
    ).toBe("");
  }, 600_000);
});
