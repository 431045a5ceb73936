import path from "node:path";
import { Project, ts, type ProjectOptions } from "ts-morph";
import { globSync } from "tinyglobby";
import { existsSync, readFileSync } from "node:fs";
import { toPosix } from "../../platform/paths.js";
import { MANIFEST } from "../../write/manifest.js";
import { overlayFileSystem, type Overlay } from "./overlay.js";

/** Files of the user that have the same compiler options. */
export interface UserFiles {
  /** Path of tsconfig.json or jsconfig.json; absent if there is none. */
  readonly config: string | undefined;
  /** Absolute paths. */
  readonly files: readonly string[];
}

/** File names that contain code. */
const CODE = /\.[cm]?[jt]sx?$/;

/**
 * Returns the files of the user that match globs, in groups with the same
 * tsconfig.json: the nearest in the folder of a file or above it.
 */
export function listUserFiles(
  patterns: readonly string[],
  cwd: string,
): readonly UserFiles[] {
  const files = globSync(patterns.map(toPosix), {
    cwd,
    absolute: true,
    onlyFiles: true,
    followSymbolicLinks: false,
    ignore: ["**/node_modules/**"],
  })
    .map(toPosix)
    .filter((file) => CODE.test(file))
    .sort();
  const groups = new Map<string | undefined, string[]>();
  for (const file of files) {
    const config = configOf(path.dirname(file));
    groups.set(config, [...(groups.get(config) ?? []), file]);
  }
  return [...groups].map(([config, list]) => ({ config, files: list }));
}

function configOf(folder: string): string | undefined {
  for (const name of ["tsconfig.json", "jsconfig.json"]) {
    const file = path.join(folder, name);
    if (existsSync(file)) return file;
  }
  const parent = path.dirname(folder);
  return parent === folder ? undefined : configOf(parent);
}

/**
 * Returns the settings of a project with a tsconfig.json. Without one, or with one that
 * can't be parsed, its options are defaults.
 */
export function projectSettings(
  config: string | undefined,
  options: ts.CompilerOptions,
): ProjectOptions {
  const isUsable =
    config !== undefined &&
    ts.readConfigFile(config, (file) => readFileSync(file, "utf8")).error ===
      undefined;
  return {
    ...(isUsable ? { tsConfigFilePath: config } : {}),
    compilerOptions: { ...(isUsable ? {} : DEFAULTS), ...options },
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
  };
}

/** Compiler options of code without tsconfig.json. */
const DEFAULTS: ts.CompilerOptions = {
  strict: true,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/** Compiler options that the determination of uses needs. */
const REQUIRED: ts.CompilerOptions = {
  allowJs: true,
  noEmit: true,
  skipLibCheck: true,
  incremental: false,
  composite: false,
};

/** Returns a program with generated files instead of those of the disk. */
export function openProgram(
  { config, files }: UserFiles,
  overlays: readonly Overlay[],
  cwd: string,
): ts.Program {
  const project = new Project({
    fileSystem: overlayFileSystem(overlays, cwd),
    ...projectSettings(config, REQUIRED),
  });
  for (const file of files) project.addSourceFileAtPath(file);
  return project.getProgram().compilerObject;
}

/**
 * Returns the folders with a manifest of generated code from which files of the
 * user import.
 */
export function importedOutputs(program: ts.Program): readonly string[] {
  const outputs = new Set<string>();
  const visited = new Set<string>();
  for (const { fileName } of program.getSourceFiles())
    for (
      let folder = path.dirname(fileName);
      !visited.has(folder);
      folder = path.dirname(folder)
    ) {
      visited.add(folder);
      if (existsSync(path.join(folder, MANIFEST))) outputs.add(folder);
    }
  return [...outputs];
}
