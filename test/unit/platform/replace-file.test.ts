import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import {
  clearLeftovers,
  replaceFile,
} from "../../../src/platform/replace-file.js";
import { temporaryFolder } from "../../support/paths.js";

test("a killed process with the same id does not block a file", () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "a.json");
  writeFileSync(`${file}.${process.pid}.tmp`, "half");
  writeFileSync(`${file}.${process.pid}.0123abcd.tmp`, "half");
  replaceFile(file, Buffer.from("new"));
  expect(readFileSync(file, "utf8")).toBe("new");
});

test("only temporary files of ended processes are removed", () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "a.json");
  // Ids of Linux processes have at most 22 bits.
  const names = [
    "a.json",
    `a.json.${process.pid}.0123abcd.tmp`,
    "a.json.99999999.x.tmp",
    "a.json.tmp",
    "b.json.99999999.tmp",
  ];
  for (const name of [...names, "a.json.99999999.0123abcd.tmp"])
    writeFileSync(path.join(folder, name), "");
  clearLeftovers(file);
  expect(readdirSync(folder).sort()).toEqual([...names].sort());
});

test("the mode of a file and the target of a link are preserved", () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "a.json");
  const link = path.join(folder, "link");
  writeFileSync(file, "old");
  chmodSync(file, 0o640);
  symlinkSync("a.json", link);
  replaceFile(link, "new");
  expect(readFileSync(file, "utf8")).toBe("new");
  expect(statSync(file).mode & 0o777).toBe(0o640);
  replaceFile(link, "own", { followsLinks: false, mode: 0o600 });
  expect(readFileSync(file, "utf8")).toBe("new");
  expect(lstatSync(link).mode & 0o777).toBe(0o600);
  expect(readFileSync(link, "utf8")).toBe("own");
  expect(readdirSync(folder).sort()).toEqual(["a.json", "link"]);
});
