import { readFileSync } from "node:fs";
import path from "node:path";
import type { ts } from "ts-morph";
import { listUserFiles } from "../diff/uses/program.js";
import { toPosix } from "../platform/paths.js";
import { migrateAuth } from "./auth.js";
import { migrateCalls } from "./calls.js";
import { migrateClients } from "./clients.js";
import { MigrationContext, type MigrateSettings } from "./context.js";
import { migrateErrors } from "./errors.js";
import { FileEditor } from "./file-editor.js";
import { migrateExecute, migrateGapi } from "./gapi.js";
import { GoogleValues } from "./google-values.js";
import { migrateImports } from "./imports.js";
import { openProgram } from "./open-program.js";
import { migrateMocks } from "./mocks.js";
import { migratePaging } from "./paging.js";
import { findFullCalls, migrateResponses } from "./responses.js";
import { migrateTypes } from "./type-names.js";
import type { MigratedFile } from "./types.js";

/**
 * Migrates the user's files from googleapis to generated clients. Writes nothing.
 * @param patterns globs of files, relative to `cwd`
 * @returns the files that change or have a position that is not decided, and the number of files that match
 */
export function migrateFiles(
  patterns: readonly string[],
  cwd: string,
  settings: MigrateSettings,
): { readonly files: readonly MigratedFile[]; readonly matched: number } {
  const migrated: MigratedFile[] = [];
  const groups = listUserFiles(patterns, cwd).map((group) => ({
    ...group,
    texts: group.files.map((file) => readFileSync(file, "utf8")),
  }));
  const count = (pattern: RegExp): number =>
    groups.flatMap(({ texts }) => texts.filter((text) => pattern.test(text)))
      .length;
  const users = { googleapis: count(/googleapis/), gapi: count(/\bgapi\b/) };
  for (const { texts, ...group } of groups) {
    if (!texts.some((text) => /googleapis|gaxios|\bgapi\b/.test(text)))
      continue;
    const program = openProgram(group, texts, cwd);
    const values = new GoogleValues(
      program.getTypeChecker(),
      group.files.flatMap((file) => program.getSourceFile(file) ?? []),
    );
    const full = new Set<ts.CallExpression>();
    const contexts = group.files.flatMap((file, index) => {
      const source = program.getSourceFile(file);
      if (source === undefined) return [];
      const editor = new FileEditor(source, texts[index]!);
      return new MigrationContext(editor, values, settings, users, full);
    });
    // A file can use the status of a call in another one.
    for (const context of contexts) findFullCalls(context);
    for (const context of contexts) {
      migrateFile(context);
      const { editor, file } = context;
      if (editor.size > 0)
        migrated.push(
          editor.finish(toPosix(path.relative(cwd, file.fileName))),
        );
    }
  }
  const matched = groups.reduce((total, { files }) => total + files.length, 0);
  return { files: migrated, matched };
}

function migrateFile(context: MigrationContext): void {
  migrateAuth(context);
  if (!migrateGapi(context)) return;
  migrateClients(context);
  migrateCalls(context);
  migrateExecute(context);
  migratePaging(context);
  migrateResponses(context);
  migrateMocks(context);
  migrateErrors(context);
  migrateTypes(context);
  migrateImports(context);
}
