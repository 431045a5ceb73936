// Counts the lines of output that change with a document: for neighbouring
// revisions, divided by the changes that `gen diff` finds; and for seeded edits that
// add one member to a document. Of an addition, lines that are removed belong to
// other members: a line that lists or imports a name, or a violation of the rule
// that a diff of the output is the diff of the API.
// Usage: node bench/churn.mjs [name...] (names of APIs in ../shared/revisions)
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT, SHARED } from "./support.mjs";

const TARGETS = ["client", "server", "validator"];
const GEN = path.join(ROOT, "bin/gen.js");
const REVISIONS = path.join(SHARED, "revisions");
const work = mkdtempSync(path.join(tmpdir(), "gen-churn-"));
let folders = 0;

/** Generates output of one target, without the runtime, which is always equal. */
function output(spec, target) {
  const out = path.join(work, String(folders++));
  const options = ["--quiet", "--out", out, "--target", target];
  execFileSync(process.execPath, [GEN, ...options, "--spec", spec]);
  rmSync(path.join(out, "runtime"), { recursive: true, force: true });
  rmSync(path.join(out, ".gen-manifest.json"), { force: true });
  return out;
}

/** Returns the lines that were added and removed, by file. */
function numstat(old, now) {
  const words = ["diff", "--no-index", "--numstat", "--no-renames", old, now];
  const { stdout } = spawnSync("git", words, { encoding: "utf8" });
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [added, removed, name] = line.split("\t");
      const file = name.replace(/^.* => /, "").replace(/[{}]/g, "");
      return {
        file:
          path.basename(path.dirname(file)) === "resources"
            ? "resources/"
            : path.basename(file),
        added: Number(added),
        removed: Number(removed),
      };
    });
}

const sum = (rows, key) => rows.reduce((total, row) => total + row[key], 0);

/** Returns the number of changes that `gen diff` finds. */
function changesOf(old, now) {
  const words = [GEN, "diff", old, now, "--format", "json"];
  const { stdout } = spawnSync(process.execPath, words, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return JSON.parse(stdout).changes.length;
}

function revisions(names) {
  console.log(
    `\n| revisions | changes | ${TARGETS.map((name) => `${name}: lines | per change`).join(" | ")} |`,
  );
  console.log(`|---|---|${"---|---|".repeat(TARGETS.length)}`);
  const totals = TARGETS.map(() => 0);
  let changes = 0;
  for (const name of names) {
    const folder = path.join(REVISIONS, name);
    const specs = readdirSync(folder)
      .sort()
      .map((file) => path.join(folder, file));
    const outputs = TARGETS.map((target) =>
      specs.map((spec) => output(spec, target)),
    );
    let found = 0;
    const lines = TARGETS.map(() => 0);
    for (let at = 1; at < specs.length; at++) {
      found += changesOf(specs[at - 1], specs[at]);
      for (const [index, folders] of outputs.entries()) {
        const rows = numstat(folders[at - 1], folders[at]);
        lines[index] += sum(rows, "added") + sum(rows, "removed");
      }
    }
    print(name, found, lines);
    changes += found;
    for (const [index, count] of lines.entries()) totals[index] += count;
  }
  print("all", changes, totals);
}

function print(name, changes, lines) {
  const cells = lines.map(
    (count) =>
      `${count} | ${changes === 0 ? "" : (count / changes).toFixed(1)}`,
  );
  console.log(`| ${name} | ${changes} | ${cells.join(" | ")} |`);
}

/** Returns all resources, with their methods. */
function resourcesIn(resource) {
  return [
    resource,
    ...Object.values(resource.resources ?? {}).flatMap(resourcesIn),
  ];
}

/** Returns the item in the middle of those that satisfy a condition. */
function middle(items, condition) {
  const found = items.filter(condition);
  return found[found.length >> 1];
}

const methodsIn = (document) =>
  resourcesIn(document).flatMap(({ methods = {} }) => Object.values(methods));

/** Edits that remove a member from the middle of a document, by kind. */
const REMOVALS = {
  method(document) {
    const { methods } = middle(
      resourcesIn(document),
      ({ methods = {} }) => Object.keys(methods).length > 2,
    );
    const names = Object.keys(methods);
    delete methods[names[names.length >> 1]];
  },
  parameter(document) {
    const { parameters } = middle(methodsIn(document), ({ parameters = {} }) =>
      Object.values(parameters).some(({ location }) => location === "query"),
    );
    const name = middle(
      Object.keys(parameters),
      (key) => parameters[key].location === "query",
    );
    delete parameters[name];
  },
  property(document) {
    const { properties } = middle(
      Object.values(document.schemas),
      ({ properties = {} }) => Object.keys(properties).length > 4,
    );
    const names = Object.keys(properties);
    delete properties[names[names.length >> 1]];
  },
  "enum value"(document) {
    const property = middle(
      Object.values(document.schemas).flatMap(({ properties = {} }) =>
        Object.values(properties),
      ),
      ({ enum: values = [] }) => values.length > 2,
    );
    if (property === undefined) return false;
    const at = property.enum.length >> 1;
    for (const key of ["enum", "enumDescriptions", "enumDeprecated"])
      property[key]?.splice(at, 1);
    return true;
  },
  schema(document) {
    const text = JSON.stringify(document);
    const name = middle(
      Object.keys(document.schemas),
      (id) => !text.includes(`"$ref":"${id}"`),
    );
    if (name === undefined) return false;
    delete document.schemas[name];
    return true;
  },
};

function edits(specs) {
  console.log(
    "\n| document, added member | target | own lines | other lines | files with other lines |",
  );
  console.log("|---|---|---|---|---|");
  for (const spec of specs)
    for (const [kind, remove] of Object.entries(REMOVALS)) {
      const document = JSON.parse(readFileSync(spec, "utf8"));
      if (remove(document) === false) continue;
      const before = path.join(work, "before.json");
      writeFileSync(before, JSON.stringify(document));
      for (const target of TARGETS) {
        const rows = numstat(output(before, target), output(spec, target));
        const [added, removed] = [sum(rows, "added"), sum(rows, "removed")];
        const files = rows
          .filter((row) => row.removed > 0)
          .map((row) => `${row.file} ${row.removed}`);
        const name = `${document.name}.${document.version}, ${kind}`;
        console.log(
          `| ${name} | ${target} | ${added - removed} | ${removed} | ${files.join(", ")} |`,
        );
      }
    }
}

/** Returns the latest revision of an API, or a description of specs/. */
function latest(name) {
  const folder = path.join(REVISIONS, name);
  const file = readdirSync(folder).sort().at(-1);
  return path.join(folder, file);
}

try {
  const hasRevisions = existsSync(REVISIONS);
  const names = process.argv.slice(2).filter((word) => /\D/.test(word));
  const known = hasRevisions ? readdirSync(REVISIONS).sort() : [];
  const chosen = names.length > 0 ? names : known;
  edits(
    hasRevisions
      ? (names.length > 0 ? names : ["drive.v3", "storage.v1"]).map(latest)
      : [path.join(ROOT, "specs/migration.v1.json")],
  );
  if (hasRevisions) revisions(chosen);
  else console.log("\n../shared/revisions does not exist.");
} finally {
  rmSync(work, { recursive: true, force: true });
}
