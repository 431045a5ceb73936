import type { Code } from "../../src/diagnostics/catalogue.js";
import { generate, type Diagnostic } from "../../src/index.js";
import { write } from "../cli/support.js";
import { temporaryFolder } from "../support/paths.js";
import { LIBRARY } from "../support/patches.js";

type Cause = () => Promise<readonly Diagnostic[]>;

/** Returns the findings of a code for a selection or the text of a patch. */
function provoke(
  code: Code,
  options: { readonly include?: string; readonly exclude?: string },
  patch?: string,
): [Code, Cause] {
  const { include, exclude } = options;
  const cause: Cause = async () => {
    const cwd = temporaryFolder();
    write(cwd, { "demo.json": LIBRARY, "p.yaml": patch ?? "" });
    const { diagnostics } = await generate({
      cwd,
      spec: "demo.json",
      out: "out",
      ...(include === undefined ? {} : { include: [include] }),
      ...(exclude === undefined ? {} : { exclude: [exclude] }),
      ...(patch === undefined ? {} : { patches: ["p.yaml"] }),
    });
    return diagnostics.filter((found) => found.code === code);
  };
  return [code, cause];
}

const patch = (operations: string, header = "api: demo:v1"): string =>
  `${header}\noperations:\n  - ${operations}\n`;

const TITLE = "describe: schemas.Book.title\n    value: New.";

/** Reproductions of the codes of selections and patches. */
export const selectionAndPatches: Partial<Record<Code, Cause>> =
  Object.fromEntries([
    provoke("select-invalid", { include: "a{b" }),
    provoke("select-unmatched", { include: "demo.bok.*" }),
    provoke("select-empty", { exclude: "demo.*" }),
    provoke("patch-syntax", {}, "api: ["),
    provoke("patch-invalid", {}, patch("remove: schemas.Book\n    x: 1")),
    provoke("patch-stale", {}, patch("remove: schemas.Book.x.y")),
    provoke("patch-upstream", {}, patch("remove: schemas.Old")),
    provoke("patch-conflict", {}, patch(`${TITLE}\n  - ${TITLE}`)),
    provoke("patch-unused", {}, patch(TITLE, "api: demo:v2")),
    provoke("patch-revision", {}, patch(TITLE, 'api: demo:v1\nrevision: "6"')),
    [
      "patch-unreadable",
      async () => {
        const cwd = temporaryFolder();
        write(cwd, { "demo.json": LIBRARY });
        const options = { cwd, spec: "demo.json", out: "out" };
        return (await generate({ ...options, patches: ["no.yaml"] }))
          .diagnostics;
      },
    ],
  ]);
