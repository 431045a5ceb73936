// Prints the licences of bundled packages, because the licences require it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Returns the folders of bundled packages, sorted. */
function packagesOf(metafile, root) {
  const folders = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) folders.add(path.join(root, found[1]));
  }
  return [...folders].sort();
}

/** Returns the text of a package's licence file. @throws Error if no known licence file exists */
function licenceText(folder, name) {
  const file = readdirSync(folder).find((entry) =>
    /^(licen[cs]e|copying)(-mit)?(\.(md|txt))?$/i.test(entry),
  );
  if (file === undefined)
    throw new Error(`${name} is bundled and has no licence file`);
  return readFileSync(path.join(folder, file), "utf8").trim();
}

/** Returns the notices of all packages in a bundle, from esbuild's metafile. */
export function notices(metafile, root) {
  const sections = packagesOf(metafile, root).map((folder) => {
    const file = path.join(folder, "package.json");
    if (!existsSync(file)) throw new Error(`${folder} is not a package`);
    const { name, version, license } = JSON.parse(readFileSync(file, "utf8"));
    const title = `${name} ${version} (${license})`;
    return `${title}\n${"-".repeat(title.length)}\n\n${licenceText(folder, name)}\n`;
  });
  return `The files of this folder contain the packages below, under their licences.\n\n${sections.join("\n\n")}`;
}
