// Output of other generators for the families that use it, in a folder below bench/,
// from which the packages of bench/node_modules can be imported.
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import path from "node:path";
import { BENCH, install } from "./install.mjs";
import { ROOT, run, SHARED } from "./support.mjs";

/** Documents of the comparisons: a common one and the largest. */
export const APIS = {
  drive: { folder: "drive/v3", title: "drive.v3 (0.24 MB)" },
  compute: { folder: "compute/v1", title: "compute.v1 (4.15 MB)" },
};

export const documentOf = (api) =>
  path.join(SHARED, "corpus", `${APIS[api].folder.replace("/", ".")}.json`);

/** Returns the arguments of a driver in bench/peers/. */
export const driver = (name, input, out) => [
  path.join(BENCH, `peers/${name}.mjs`),
  input,
  out,
];

/** Returns the arguments of our generator. */
export const gen = (api, out, ...rest) => [
  path.join(ROOT, "bin/gen.js"),
  "--quiet",
  "--spec",
  documentOf(api),
  "--out",
  out,
  ...rest,
];

/** Runs a function in a new folder with the pinned packages installed. */
export async function inFolder(name, use) {
  if (!existsSync(documentOf("drive")))
    return console.log("bench skipped: the shared documents are missing");
  install();
  mkdirSync(path.join(BENCH, ".tmp"), { recursive: true });
  const work = mkdtempSync(path.join(BENCH, `.tmp/${name}-`));
  try {
    return await use(work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Exports both documents as OpenAPI 3.1, the input of other generators; returns the paths. */
export function exportOpenapi(work) {
  const out = path.join(work, "openapi");
  return Object.fromEntries(
    Object.entries(APIS).map(([api, { folder }]) => {
      run(gen(api, out, "--target", "openapi"));
      return [api, path.join(out, folder, "openapi.json")];
    }),
  );
}

/** Generates the clients whose output the families import: <work>/<name>/<api>. */
export function generateClients(work) {
  const inputs = exportOpenapi(work);
  for (const [api, input] of Object.entries(inputs)) {
    run(gen(api, path.join(work, "ours")));
    for (const name of ["hey-api", "openapi-typescript"])
      run(driver(name, input, path.join(work, name, api)));
  }
}
