import path from "node:path";
import type { ResolvedConfig } from "../config/job.js";
import { sideOf, type Side } from "../diff/side.js";
import { loadSource } from "../load/load.js";
import { readFileLimited } from "../platform/read-limited.js";
import { apiFolder } from "../targets/shared/api-folder.js";
import type { FindApi, GeneratedApi } from "./types.js";

/** APIs of a project that migrated code uses. */
export class ProjectApis {
  readonly #apis = new Map<string, GeneratedApi>();
  /** APIs that the config does not contain. */
  readonly missing = new Set<string>();
  /** APIs without a document, whose names in code are guessed. */
  readonly guessed = new Set<string>();

  constructor(
    readonly config: ResolvedConfig | undefined,
    readonly cwd: string,
  ) {}

  readonly find: FindApi = (name, version) => {
    const id = `${name}:${version}`;
    const found = this.#apis.get(id) ?? this.#resolve(id, name, version);
    this.#apis.set(id, found);
    return found;
  };

  /** Returns the folder of the runtime in the first output folder. */
  readonly runtime = (): Pick<GeneratedApi, "runtime" | "suffix"> => {
    const [job] = this.config?.jobs ?? [];
    const out = path.resolve(this.cwd, job?.out ?? "generated");
    return { runtime: path.join(out, "runtime"), suffix: suffixOf(job) };
  };

  #resolve(id: string, name: string, version: string): GeneratedApi {
    const jobs = this.config?.jobs ?? [];
    if (version === "") {
      const [only, ...others] = jobs
        .flatMap(({ apis }) => apis)
        .filter((api) => api.id.startsWith(`${name}:`));
      if (only !== undefined && others.length === 0)
        return this.find(name, only.id.slice(name.length + 1));
    }
    const job = jobs.find(({ apis }) => apis.some((api) => api.id === id));
    const api = job?.apis.find((one) => one.id === id);
    if (job === undefined && version !== "") this.missing.add(id);
    const side = api && this.#side(api.file);
    if (side === undefined && version !== "") this.guessed.add(id);
    const out = path.resolve(this.cwd, (job ?? jobs[0])?.out ?? "generated");
    return {
      id,
      title: side?.names.title ?? titleOf(name),
      folder: path.join(
        out,
        side?.names.folder ?? apiFolder({ name, version }),
      ),
      runtime: path.join(out, "runtime"),
      suffix: suffixOf(job ?? jobs[0]),
      typeOf: (schema) => side?.names.types.get(schema) ?? schema,
      methodNamed: (path) => pathNamed(side, name, path),
      resourceNamed: (path) => resourceNamed(side, name, path),
      hasParameter: (method, parameter) =>
        methodOf(side, name, method)?.parameters.some(
          (one) => one.name === parameter,
        ),
      requiredMembers: (method) =>
        methodOf(side, name, method)?.requiredMembers ?? [],
      isContentOnly: (method) => {
        const found = methodOf(side, name, method);
        return found?.download !== undefined && found.response === undefined;
      },
    };
  }

  /** Reads the document of an API; undefined if it is missing or invalid. */
  #side(file: string): Side | undefined {
    const read = (): Buffer => readFileLimited(path.resolve(this.cwd, file));
    const { document } = loadSource({ name: file, spec: file, read });
    return document === undefined ? undefined : sideOf(document, false);
  }
}

/** Returns a method by its path below the client; undefined without a document. */
function methodOf(side: Side | undefined, name: string, path: string) {
  return side?.methods.find(
    (one) =>
      one.id === `${name}.${path}` ||
      one.id.slice(one.id.indexOf(".") + 1) === path,
  );
}

/** Returns the paths of the methods below the client. */
function pathsOf(side: Side | undefined, name: string): readonly string[] {
  return (side?.methods ?? []).map(({ id }) =>
    id.startsWith(`${name}.`) ? id.slice(name.length + 1) : id,
  );
}

/** Returns the path of a method by a spelling of any case. */
function pathNamed(
  side: Side | undefined,
  name: string,
  path: string,
): string | undefined {
  const wanted = path.toLowerCase();
  return pathsOf(side, name).find((one) => one.toLowerCase() === wanted);
}

/** Returns the path of a resource by a spelling of any case. */
function resourceNamed(
  side: Side | undefined,
  name: string,
  path: string,
): string | undefined {
  const start = `${path.toLowerCase()}.`;
  return pathsOf(side, name)
    .find((one) => one.toLowerCase().startsWith(start))
    ?.slice(0, path.length);
}

function titleOf(name: string): string {
  return `${name[0]!.toUpperCase()}${name.slice(1)}`;
}

function suffixOf(job: ResolvedConfig["jobs"][number] | undefined): string {
  const { emit, importSuffix = "js" } = job?.options ?? {};
  if (emit === "js") return ".js";
  return importSuffix === "none" ? "" : `.${importSuffix}`;
}
