// This file is longer than 400 lines because it contains all checks of `gen
// doctor`, in the order of the report, each with the functions that only it uses.
import { version } from "#built/runtime.js";
import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  statSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { formatCount } from "../../diagnostics/format-count.js";
import { Sink } from "../../diagnostics/sink.js";
import { editDocument } from "../../generate/edit-document.js";
import { loadPatches, unusedPatches } from "../../generate/patch-files.js";
import { loadUserExtensions } from "../../generate/settings.js";
import { loadSource } from "../../load/load.js";
import { listSources } from "../../load/sources.js";
import { isAtLeast } from "../../platform/is-at-least.js";
import { cacheFolder } from "../../platform/user-folder.js";
import { readLock } from "../../remote/lock-file.js";
import { isIntact } from "../../write/existing-files.js";
import { readManifest } from "../../write/manifest.js";
import { ensureDocuments, fetchedApis } from "../ensure-documents.js";
import type { Job, JobApi, ResolvedConfig } from "../job.js";
import type { ConfigResult } from "../load-config.js";
import {
  formOptions,
  isImportable,
  MODULE_TYPE,
  outputFormOf,
} from "../output-form.js";
import { LOCK_FILE } from "../resolve-jobs.js";

/** Result of a check of `gen doctor`. */
interface CheckResult {
  readonly status: "ok" | "warning" | "error";
  readonly message: string;
  /** Instruction for fixing the problem. */
  readonly fix?: string;
}

/** Working directory, environment variables and config to check. */
interface CheckContext {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Absent with `--no-config`; checks of the config then report nothing. */
  readonly config?: ConfigResult | undefined;
}

/** Check of a project. It does not change files or access the network. */
interface Check {
  readonly name: string;
  readonly run: (
    context: CheckContext,
  ) => readonly CheckResult[] | Promise<readonly CheckResult[]>;
}

/** Returns a result that reports no problem. */
function ok(message: string): CheckResult {
  return { status: "ok", message };
}

/** Returns a result with a problem that does not prevent generation. */
function warning(message: string, fix: string): CheckResult {
  return { status: "warning", message, fix };
}

/** Returns a result with a problem that prevents generation. */
function error(message: string, fix: string): CheckResult {
  return { status: "error", message, fix };
}

/** Checks the version of Node.js. */
const nodeCheck: Check = {
  name: "node",
  run: () => {
    const { node } = process.versions;
    const text = `Node.js ${node}`;
    return [
      // As in package.json.
      isAtLeast(node, 20, 19)
        ? ok(text)
        : error(`${text} is not supported`, "Install Node.js 20.19 or later."),
    ];
  },
};

/** Checks that the config exists and is valid. */
const configCheck: Check = {
  name: "config",
  run: ({ cwd, config }) => {
    if (config === undefined) return [ok("ignored because of --no-config")];
    const { diagnostics, file, resolved } = config;
    if (resolved === undefined)
      return diagnostics.map((finding) => {
        const { file: name, line, column = 1, message, fix = "" } = finding;
        const at = line === undefined ? "" : `${name}:${line}:${column}: `;
        return error(`${at}${message}`, fix);
      });
    const apis = new Set(
      resolved.jobs.flatMap((job) => job.apis.map(({ id }) => id)),
    );
    const name = file === undefined ? "config" : path.relative(cwd, file);
    const count = formatCount(apis.size, "API");
    const jobs = formatCount(resolved.jobs.length, "job");
    return [ok(`${name}: ${count} in ${jobs}`)];
  },
};

/**
 * Checks that the lock file is valid and contains all fetched documents, and
 * that the documents match their digests.
 */
const lockCheck: Check = {
  name: "lock",
  run: async ({ cwd, config }) => {
    const resolved = config?.resolved;
    if (resolved === undefined) return [];
    const { lockFile, jobs } = resolved;
    const apis = fetchedApis(jobs.flatMap((job) => job.apis));
    if (!existsSync(lockFile))
      return [
        apis.length > 0
          ? warning(
              `${LOCK_FILE} is missing`,
              "Run `gen fetch`, and commit the lock file.",
            )
          : ok("the lock file is not needed, because no document is fetched"),
      ];
    const sink = new Sink();
    const lock = readLock(lockFile, LOCK_FILE, sink);
    if (lock === undefined)
      return sink.diagnostics.map(({ message, line, column, fix = "" }) =>
        error(`${message} (line ${line ?? 1}, column ${column ?? 1})`, fix),
      );
    const missing = apis
      .filter(({ id }) => !lock.has(id))
      .map(({ id }) =>
        warning(`${LOCK_FILE} does not contain ${id}`, "Run `gen fetch`."),
      );
    const edited = await editedDocuments(resolved, cwd);
    const problems = [...missing, ...edited];
    return problems.length === 0 ? [ok(LOCK_FILE)] : problems;
  },
};

/** Reports documents that differ from the lock file, without fetching any. */
async function editedDocuments(
  resolved: ResolvedConfig,
  cwd: string,
): Promise<CheckResult[]> {
  const sink = new Sink();
  const options = { isOffline: true, isFrozen: false, isReadOnly: true };
  await ensureDocuments(resolved, { cwd, ...options }, sink);
  // Missing documents are results of the next check.
  return sink.diagnostics
    .filter(({ code }) => code === "lock-mismatch")
    .map(({ message, fix = "" }) => error(message, fix));
}

/** Checks that the documents of all APIs exist. */
const documentsCheck: Check = {
  name: "documents",
  run: async ({ cwd, config }) => {
    const resolved = config?.resolved;
    if (resolved === undefined) return [];
    const apis = resolved.jobs.flatMap((job) => job.apis);
    const files = [...new Set(apis.map(({ file }) => file))];
    const { sources, diagnostics } = await listSources(files, cwd);
    const missing = diagnostics.map(({ file, message }) => {
      const api = apis.find((candidate) => candidate.file === file);
      return api?.isFetched === true
        ? warning(`${message} (document of ${api.id})`, "Run `gen fetch`.")
        : error(message, "Correct `source` in the config.");
    });
    if (missing.length > 0) return missing;
    return [ok(formatCount(sources.length, "document"))];
  },
};

/**
 * Checks that the patches of each API match its documents, that the patches and
 * documents are valid, and that no document contains a change already.
 */
const patchesCheck: Check = {
  name: "patches",
  run: async ({ cwd, config }) => {
    const apis = (config?.resolved?.jobs ?? [])
      .flatMap((job) => job.apis)
      .filter(({ patches }) => patches.length > 0);
    if (config?.resolved === undefined) return [];
    if (apis.length === 0) return [ok("not used")];
    const found = new Map<string, CheckResult>();
    for (const api of apis)
      for (const result of await checkPatches(api, cwd))
        found.set(result.message, result);
    if (found.size > 0) return [...found.values()];
    const files = new Set(apis.flatMap(({ patches }) => patches));
    return [ok(formatCount(files.size, "patch file"))];
  },
};

async function checkPatches(
  { file, settings, patches: files, patchedApi }: JobApi,
  cwd: string,
): Promise<CheckResult[]> {
  const loaded = await loadPatches(files, cwd, patchedApi);
  const findings = [...loaded.diagnostics];
  const { patches = [] } = loaded;
  if (findings.length === 0)
    findings.push(
      ...(await unusedPatches(
        [{ spec: file, settings: { ...settings, patches } }],
        cwd,
      )),
    );
  const { sources } = await listSources([file], cwd);
  for (const source of sources) {
    const { document, sink } = loadSource(source);
    if (document === undefined || sink.hasErrors) continue;
    const patched = new Sink(source.name);
    await editDocument(document, { patches }, patched);
    findings.push(...patched.diagnostics);
  }
  return findings
    .filter(
      ({ severity, code }) => severity === "error" || code === "patch-upstream",
    )
    .map(({ severity, file: name, line, column = 1, message, fix = "" }) => {
      const result = severity === "error" ? error : warning;
      const at = line === undefined ? "" : `${name}:${line}:${column}: `;
      return result(at + message, fix);
    });
}

/**
 * Checks that each output folder contains all files of its manifest, and that
 * the files are unmodified.
 */
const outputCheck: Check = {
  name: "output",
  run: ({ cwd, config }) =>
    (config?.resolved?.jobs ?? []).map((job) => checkOutput(job, cwd)),
};

function checkOutput({ out }: Job, cwd: string): CheckResult {
  const folder = path.resolve(cwd, out);
  try {
    const manifest = readManifest(folder);
    if (manifest === undefined)
      return warning(`the manifest in ${out} is damaged`, "Run `gen`.");
    const groups = Object.entries(manifest.groups);
    if (groups.length === 0)
      return warning(`${out} contains no generated files`, "Run `gen`.");
    const changed = groups
      .filter(([name, { files }]) => !isIntact(`${name}`, files, folder))
      .map(([name]) => name);
    return changed.length === 0
      ? ok(`${out}: all files are unchanged since they were generated`)
      : warning(
          `${out}: files were changed or are missing in ${changed.slice(0, 5).join(", ")}${changed.length > 5 ? ` and ${formatCount(changed.length - 5, "more folder")}` : ""}`,
          "Run `gen` to restore the files.",
        );
  } catch (failure) {
    const { message } = failure as Error;
    return warning(`${out} can't be read: ${message}`, "Check permissions.");
  }
}

/**
 * Checks that the project can import the output of each job, as far as its
 * package.json and tsconfig.json tell.
 */
const importsCheck: Check = {
  name: "imports",
  run: ({ cwd, config }) =>
    (config?.resolved?.jobs ?? []).flatMap((job) => checkImports(job, cwd)),
};

function checkImports({ out, options }: Job, cwd: string): CheckResult[] {
  const form = outputFormOf(path.resolve(cwd, out));
  if (form === undefined) return [];
  const { emit = "ts", importSuffix } = options;
  const { message: cause, fix: command } = MODULE_TYPE;
  const problems = form.needsModuleType ? [warning(cause, command)] : [];
  if (!isImportable(form, emit, importSuffix)) {
    const [[key, value] = ["importSuffix", "js"]] = Object.entries(
      formOptions(form),
    );
    const suffix =
      importSuffix === "none" ? "have no suffix" : `end with .${importSuffix}`;
    const message = `imports in ${out} ${suffix}, but ${form.reason}`;
    const { fix = `Set \`${key}: ${value}\` in the config, and run \`gen\`.` } =
      form;
    problems.push(warning(message, fix));
  }
  return problems.length > 0 ? problems : [ok(`the project can import ${out}`)];
}

/** Checks that the templates of the jobs compile. */
const templatesCheck: Check = {
  name: "templates",
  run: ({ cwd, config }) =>
    forJobs(config?.resolved?.jobs, async ({ out, options: { templates } }) => {
      if (templates === undefined) return undefined;
      const settings = { cwd, out, templates, formatter: "none" as const };
      const { diagnostics } = await loadUserExtensions(settings);
      return diagnostics.length === 0
        ? [ok(templates)]
        : diagnostics.map(({ message, fix = "" }) => error(message, fix));
    }),
};

/**
 * Checks that the formatter of the jobs is installed. Reads only its
 * package.json, because the package and its settings are code of the project.
 */
const formatterCheck: Check = {
  name: "formatter",
  run: ({ cwd, config }) =>
    forJobs(config?.resolved?.jobs, ({ out, options: { formatter } }) => {
      if (formatter === "none") return undefined;
      // The folders in which a run searches for the package.
      const installed = [path.resolve(cwd, out), cwd, import.meta.dirname]
        .map((folder) => installedVersion(formatter, folder))
        .find((version) => version !== undefined);
      return [
        installed === undefined
          ? error(
              `${formatter} is not installed in this project`,
              `Run \`npm install --save-dev ${formatter}\`.`,
            )
          : ok(`${formatter} ${installed}`),
      ];
    }),
};

/** Returns the results for the jobs that use a feature. */
async function forJobs(
  jobs: readonly Job[] = [],
  check: (
    job: Job,
  ) =>
    | readonly CheckResult[]
    | undefined
    | Promise<readonly CheckResult[] | undefined>,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const job of jobs) results.push(...((await check(job)) ?? []));
  return jobs.length > 0 && results.length === 0 ? [ok("not used")] : results;
}

/** Package that output imports with `--runtime package`. */
const RUNTIME = "discovery-codegen-runtime";

/**
 * Checks that the package of the runtime is installed in the version of the
 * generator, if a job generates output that imports it.
 */
const runtimeCheck: Check = {
  name: "runtime",
  run: ({ cwd, config }) => {
    const jobs = config?.resolved?.jobs ?? [];
    if (jobs.length === 0) return [];
    if (!jobs.some(({ options }) => options.runtime === "package"))
      return [ok("copied into the output")];
    const installed = installedVersion(RUNTIME, cwd);
    if (installed === version) return [ok(`${RUNTIME} ${installed}`)];
    return [
      error(
        installed === undefined
          ? `${RUNTIME} is not installed, but the output imports it`
          : `${RUNTIME} ${installed} is installed; expected the version of the generator, ${version}`,
        `Run \`npm install ${RUNTIME}@${version}\`.`,
      ),
    ];
  },
};

/** Checks that the project's TypeScript version can compile the output. */
const typescriptCheck: Check = {
  name: "typescript",
  run: ({ cwd }) => {
    const version = installedVersion("typescript", cwd);
    if (version === undefined)
      return [
        warning(
          "TypeScript is not installed in this project",
          "Run `npm install --save-dev typescript`, if this project compiles the output.",
        ),
      ];
    return [
      isAtLeast(version, 5, 9)
        ? ok(`TypeScript ${version}`)
        : warning(
            `TypeScript ${version} is not supported`,
            "Install TypeScript 5.9 or later.",
          ),
    ];
  },
};

/** Returns the version of a package that is installed in a project. */
function installedVersion(name: string, cwd: string): string | undefined {
  try {
    const require = createRequire(path.join(cwd, "index.js"));
    const file = require.resolve(`${name}/package.json`);
    const { version } = JSON.parse(readFileSync(file, "utf8")) as {
      readonly version?: unknown;
    };
    return typeof version === "string" && /^\d+\.\d[\w.+-]*$/.test(version)
      ? version
      : undefined;
  } catch {
    return undefined;
  }
}

const PROXIES = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"];

/**
 * Reports the names of the proxy variables that are set. Their values are never
 * printed, because they can contain credentials.
 */
const proxyCheck: Check = {
  name: "proxy",
  run: ({ env }) => {
    const names = [...PROXIES, "NO_PROXY"]
      .flatMap((name) => [name, name.toLowerCase()])
      .filter((name) => (env[name] ?? "") !== "");
    if (names.length === 0) return [ok("no proxy variable is set")];
    const invalid = names.filter(
      (name) => PROXIES.includes(name.toUpperCase()) && !isProxyUrl(env[name]!),
    );
    return [
      ok(`set: ${names.join(", ")}`),
      ...invalid.map((name) =>
        warning(`${name} is not an http(s) URL`, `Correct or unset ${name}.`),
      ),
    ];
  },
};

function isProxyUrl(text: string): boolean {
  const url = text.includes("://") ? text : `http://${text}`;
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

/**
 * Checks that files can be created in the output folders and the cache folder.
 */
const permissionsCheck: Check = {
  name: "permissions",
  run: ({ cwd, env, config }) => {
    const resolved = config?.resolved;
    const cache = cacheFolder(env);
    const closed = (resolved?.jobs ?? [])
      .map(({ out }) => out)
      .filter((out) => !isWritable(path.resolve(cwd, out)));
    return [
      ...(resolved !== undefined && closed.length === 0
        ? [ok("the output folders are writable")]
        : []),
      ...closed.map((out) =>
        error(`${out} is not writable`, `Correct the permissions on ${out}.`),
      ),
      cache !== undefined && isWritable(cache)
        ? ok("the cache folder is writable")
        : warning(
            "the cache folder is not writable",
            "Set XDG_CACHE_HOME to a writable folder.",
          ),
    ];
  },
};

/**
 * Tests whether a folder is writable. If the folder does not exist, tests its
 * nearest existing parent.
 */
function isWritable(folder: string): boolean {
  const parent = path.dirname(folder);
  if (!existsSync(folder) && parent !== folder) return isWritable(parent);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return statSync(folder).isDirectory();
  } catch {
    return false;
  }
}

/** Checks of `gen doctor`, in the order of its output. */
const CHECKS: readonly Check[] = [
  nodeCheck,
  configCheck,
  lockCheck,
  documentsCheck,
  patchesCheck,
  outputCheck,
  importsCheck,
  templatesCheck,
  formatterCheck,
  runtimeCheck,
  typescriptCheck,
  proxyCheck,
  permissionsCheck,
];

export interface NamedResult extends CheckResult {
  readonly check: string;
}

/** Runs all checks of `gen doctor`. */
export async function runChecks(
  context: CheckContext,
): Promise<readonly NamedResult[]> {
  const results: NamedResult[] = [];
  for (const { name, run } of CHECKS)
    for (const result of await run(context))
      results.push({ check: name, ...result });
  return results;
}
