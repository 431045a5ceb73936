import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { compilerCommand } from "../support/compiler.js";
import { generateClient, type Generated } from "../support/generate.js";
import { ROOT } from "../support/paths.js";
import type { Json } from "./documents.js";

/** A folder of test/cases: a document, the expected results, and its output. */
export interface Case {
  readonly name: string;
  /** First paragraph of README.md: the purpose of the case. */
  readonly about: string;
  readonly document: Json;
  readonly expected: Expected;
  readonly generated: Generated;
  /** Folder of the output and a link to the runtime. */
  readonly folder: string;
}

/**
 * Content of expected.json: the declarations that the case is about, by file,
 * relative to the API's folder, and by symbol.
 */
export type Expected = Readonly<
  Record<string, Readonly<Record<string, ExpectedDeclaration>>>
>;

/**
 * The code of a declaration, or parts that it contains; a part that begins with
 * two slashes is contained in its comments. Layout does not matter.
 */
export type ExpectedDeclaration = string | readonly string[];

const HERE = path.join(ROOT, "test/cases");

/** Path of a snapshot of a case, which `vitest -u` updates. */
export function snapshotOf(name: string, file: string): string {
  return path.join(HERE, name, file);
}

/** Joins files into the text of a snapshot, each after a line with its path. */
export function joinFiles(files: ReadonlyMap<string, string>): string {
  return [...files].map(([file, text]) => `==== ${file}\n${text}`).join("\n");
}

/** Generates all cases into a folder that is removed after the tests. */
export function generateCases(): { readonly cases: Case[]; root: string } {
  const root = mkdtempSync(path.join(tmpdir(), "cases-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(path.join(root, "package.json"), '{ "type": "module" }\n');
  cpSync(path.join(ROOT, "src/runtime"), path.join(root, "runtime"), {
    recursive: true,
  });
  const names = readdirSync(HERE).filter((name) =>
    existsSync(path.join(HERE, name, "document.json")),
  );
  return { root, cases: names.map((name) => generateCase(name, root)) };
}

function generateCase(name: string, root: string): Case {
  const read = (file: string): string =>
    readFileSync(path.join(HERE, name, file), "utf8");
  const text = read("document.json");
  const generated = generateClient(text);
  const folder = path.join(root, name);
  writeOutput(generated.files, folder, root);
  return {
    name,
    about: read("README.md").split("\n\n")[1]!.trim(),
    document: JSON.parse(text) as Json,
    expected: existsSync(path.join(HERE, name, "expected.json"))
      ? (JSON.parse(read("expected.json")) as Expected)
      : {},
    generated,
    folder,
  };
}

/**
 * Writes files, and a link to the runtime that all cases share.
 * @param root folder with the runtime
 */
export function writeOutput(
  files: ReadonlyMap<string, string>,
  folder: string,
  root: string,
): void {
  for (const [file, text] of files) {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  symlinkSync(path.join(root, "runtime"), path.join(folder, "runtime"));
}

/** Flags under which generated code must compile. */
const COMPILER_OPTIONS = {
  target: "ES2022",
  lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
  module: "NodeNext",
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  noImplicitReturns: true,
  noImplicitOverride: true,
  verbatimModuleSyntax: true,
  isolatedDeclarations: true,
  declaration: true,
  erasableSyntaxOnly: true,
  skipLibCheck: false,
  noEmit: true,
};

/** Compiles all files below a folder; returns the compiler's messages. */
export function compile(folder: string): string {
  const config = path.join(folder, "tsconfig.json");
  writeFileSync(
    config,
    JSON.stringify({
      compilerOptions: COMPILER_OPTIONS,
      include: ["**/*.ts"],
      exclude: ["*/runtime"],
    }),
  );
  const { program, args, env } = compilerCommand("typescript", config);
  try {
    execFileSync(program, args, { encoding: "utf8", env });
    return "";
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}
