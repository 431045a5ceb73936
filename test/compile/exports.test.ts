import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { node } from "./process.js";
import { typecheck } from "./typescript.js";

/** A library with inferred types of functions, on packages that export only their index. */
const LIBRARY = `
import { createDrive, type files, type CallOptions, type File, type MediaCall } from "api/drive";
import { createMigration, type migrations } from "api/migration";
import { createChat } from "api/chat";
const drive = createDrive();
export const client = createDrive();
export const resource = drive.files;
export const method = drive.files.get;
export const one = (fileId: string) => drive.files.get({ fileId });
export const some = (fileId: string) => drive.files.get({ fileId, fields: "id,name" });
export const list = () => drive.files.list();
export const names = () => drive.files.list({ fields: "files.name,nextPageToken" });
export const response = () => drive.files.get({ fileId: "1" }).withResponse();
export const media = async () => drive.files.get({ fileId: "1" }).media();
export const create = (given: files.CreateParameters, options?: CallOptions) => drive.files.create(given, options);
export const annotated = (given: files.GetParameters): MediaCall<File> => drive.files.get(given);
export const linked = (given: migrations.ListForOrgParameters) => createMigration().migrations.listForOrg(given);
export const moved = () => createMigration().migrations.downloadArchiveForOrg({ org: "o", migration_id: 1 });
export const chunks = () => createChat().chat.completions.create({ requestBody: { model: "m", messages: [] } });
`;

test("the index of a package exports the types of calls", async () => {
  const folder = temporaryFolder();
  const api = path.join(folder, "node_modules/api");
  mkdirSync(api, { recursive: true });
  cpSync(path.join(ROOT, "generated"), api, { recursive: true });
  const spec = path.join(ROOT, "test/compile/drive.v3.json");
  const gen = path.join(ROOT, "bin/gen.js");
  const drive = path.join(api, "own");
  const made = await node([gen, "--spec", spec, "--out", drive, "--quiet"]);
  expect(made.code, made.output).toBe(0);
  const exports = {
    "./drive": "./own/drive/v3/index.ts",
    "./chat": "./chat/v1/index.ts",
    "./migration": "./migration/v1/index.ts",
  };
  const manifest = { name: "api", version: "1.0.0", type: "module", exports };
  writeFileSync(path.join(api, "package.json"), JSON.stringify(manifest));
  writeFileSync(path.join(folder, "library.ts"), LIBRARY);
  const flags = { isolatedDeclarations: false };
  const files = ["library.ts"];
  expect(await typecheck(folder, "7", "DOM", files, flags)).toBe("");
}, 60_000);
