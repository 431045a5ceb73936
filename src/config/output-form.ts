import { existsSync } from "node:fs";
import path from "node:path";
import { parse } from "jsonc-parser";
import { isObject } from "../diagnostics/json.js";
import { isAtLeast } from "../platform/is-at-least.js";
import { readPlainFile } from "../platform/plain-file.js";

type Suffix = "js" | "ts" | "none";

/** Form of the output that a project can import. */
export interface OutputForm {
  readonly emit: "ts" | "js";
  readonly importSuffix: Suffix;
  /**
   * Suffixes that TypeScript output can have. JavaScript output can be imported
   * by all projects.
   */
  readonly suffixes: readonly Suffix[];
  /** Clause that names the reason. */
  readonly reason: string;
  /** Instruction for a project that can't import TypeScript output. */
  readonly fix?: string;
  /** True if package.json must have `"type": "module"`, and has not. */
  readonly needsModuleType: boolean;
}

/** Properties of a project, from package.json and tsconfig.json. */
interface Project {
  readonly isModule: boolean;
  /** Names of all dependencies. */
  readonly packages: ReadonlySet<string>;
  /** Undefined if the project has no tsconfig.json. */
  readonly compilerOptions?: Readonly<Record<string, unknown>>;
  readonly isDeno: boolean;
}

/**
 * Returns the form in which the project around an output folder can import the
 * output; undefined if no package.json or deno.json is found. The files are
 * data: nothing in them is executed, and damaged files count as empty.
 *
 * @param out absolute path of the output folder
 * @param node version of Node.js, such as `24.1.0`
 */
export function outputFormOf(
  out: string,
  node: string = process.versions.node,
): OutputForm | undefined {
  const project = readProject(path.dirname(out));
  return project === undefined ? undefined : formOf(project, node);
}

/** Packages that compile TypeScript, or run it. */
const COMPILERS = [
  "@rspack/core",
  "@swc/core",
  "bun",
  "@types/bun",
  "esbuild",
  "jest",
  "next",
  "parcel",
  "rolldown",
  "rollup",
  "ts-node",
  "tsup",
  "tsx",
  "typescript",
  "vite",
  "vitest",
  "webpack",
];

/** Packages that resolve `.js` to `.ts` only with a setting (docs/imports.md). */
const WITHOUT_SUFFIX = ["next", "webpack", "jest"];

/** Problem and fix for `needsModuleType`. */
export const MODULE_TYPE = {
  message:
    'package.json has no "type": "module", but the output has ES modules',
  fix: "Run `npm pkg set type=module`.",
} as const;

function formOf(project: Project, node: string): OutputForm {
  const { packages, compilerOptions: options, isDeno } = project;
  if (isDeno) return form("ts", "Deno imports files by their names");
  if (options !== undefined || COMPILERS.some((name) => packages.has(name)))
    return compiledForm(project);
  const needsModuleType = !project.isModule;
  if (packages.has("oxc-transform"))
    return {
      ...form("js", "no package of the project compiles TypeScript"),
      emit: "js",
      needsModuleType,
    };
  if (isAtLeast(node, 22, 18)) {
    const reason = `Node.js ${node} runs TypeScript and imports files by their names`;
    return { ...form("ts", reason), needsModuleType };
  }
  const reason = `no package of the project compiles TypeScript, and Node.js ${node} runs only JavaScript`;
  return {
    ...form("js", reason),
    suffixes: [],
    needsModuleType,
    fix: "Install a compiler, such as tsx; or install oxc-transform and use `--emit js`.",
  };
}

/** Returns the form for a project whose tools compile TypeScript. */
function compiledForm(project: Project): OutputForm {
  const { packages, compilerOptions: options = {} } = project;
  const isNodeNext = [options["module"], options["moduleResolution"]].some(
    (value) => /^node(?:\d\d|next)$/i.test(String(value)),
  );
  const needsModuleType = isNodeNext && !project.isModule;
  const bundled: Suffix[] = isNodeNext ? [] : ["none"];
  if (
    options["allowImportingTsExtensions"] === true ||
    options["rewriteRelativeImportExtensions"] === true
  ) {
    const reason = "tsconfig.json allows imports that end with .ts";
    return { ...form("ts", reason, "js", ...bundled), needsModuleType };
  }
  const bundler = WITHOUT_SUFFIX.find((name) => packages.has(name));
  if (bundler === undefined || isNodeNext) {
    const reason = "the tools of the project find .ts files for .js";
    // Runners and bundlers read names with .ts; the compiler needs a setting for them.
    const named: Suffix[] = project.compilerOptions === undefined ? ["ts"] : [];
    return { ...form("js", reason, ...bundled, ...named), needsModuleType };
  }
  const reason = `${bundler} finds TypeScript files without a suffix`;
  // With a setting, webpack and Jest find them for .js too.
  return form("none", reason, ...(bundler === "next" ? [] : ["js" as const]));
}

/** @param others other suffixes that work */
function form(
  importSuffix: Suffix,
  reason: string,
  ...others: readonly Suffix[]
): OutputForm {
  const suffixes = [importSuffix, ...others];
  return { emit: "ts", importSuffix, suffixes, reason, needsModuleType: false };
}

/** Maximum size in bytes of package.json and tsconfig.json. */
const MAX_BYTES = 1024 * 1024;

function readProject(folder: string): Project | undefined {
  const file = findAbove(folder, ["package.json", "deno.json", "deno.jsonc"]);
  if (file === undefined) return undefined;
  const isDeno = path.basename(file).startsWith("deno");
  const manifest = isDeno ? {} : readObject(file);
  const compiler = findAbove(folder, ["tsconfig.json"]);
  const { compilerOptions } =
    compiler === undefined ? {} : readObject(compiler);
  const packages = ["dependencies", "devDependencies", "peerDependencies"]
    .map((name) => manifest[name])
    .filter(isObject)
    .flatMap(Object.keys);
  return {
    isModule: manifest["type"] === "module",
    packages: new Set(packages),
    ...(compiler === undefined
      ? {}
      : { compilerOptions: isObject(compilerOptions) ? compilerOptions : {} }),
    isDeno,
  };
}

/** Returns the first existing file in a folder or the nearest of its parents. */
function findAbove(
  folder: string,
  names: readonly string[],
): string | undefined {
  const files = names.map((name) => path.join(folder, name));
  const file = files.find((each) => existsSync(each));
  const parent = path.dirname(folder);
  return file ?? (parent === folder ? undefined : findAbove(parent, names));
}

/** Parses JSON with comments; damaged and large files count as empty. */
function readObject(file: string): Readonly<Record<string, unknown>> {
  try {
    const text = readPlainFile(file, MAX_BYTES)?.toString("utf8") ?? "";
    const value = parse(text.replace(/^\uFEFF/, ""), [], {
      allowTrailingComma: true,
    }) as unknown;
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Values of a config, or of the command line, that select a form. */
export interface FormOptions {
  readonly emit?: "js";
  readonly importSuffix?: Suffix;
}

/** Returns the options that differ from the defaults. */
export function formOptions(form: OutputForm | undefined): FormOptions {
  if (form?.emit === "js") return { emit: "js" };
  const { importSuffix = "js" } = form ?? {};
  return importSuffix === "js" ? {} : { importSuffix };
}

/** Returns true if the project can import output with these options. */
export function isImportable(
  form: OutputForm,
  emit: string,
  importSuffix: string,
): boolean {
  return emit === "js" || form.suffixes.some((each) => each === importSuffix);
}
