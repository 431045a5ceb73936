import type { ComparedDocument } from "../diff/compare.js";
import { readInputs } from "../diff/compare.js";
import { listState } from "../diff/lock-operands.js";
import { sideOf, type Side } from "../diff/side.js";
import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import {
  projectFinder,
  readDiffConfig,
  type DiffConfig,
} from "./diff-project.js";

/** Operands of commands that read APIs of a project. */
export const PROJECT_APIS = {
  name: "apis",
  description: "APIs as name:version (default: all of the project)",
  isMany: true,
  isOptional: true,
} as const;

/** API of a project: its document and model, as generation reads them. */
export interface ProjectApi {
  /** API as `name:version`. */
  readonly id: string;
  readonly document: ComparedDocument;
  readonly side: Side;
}

/** APIs of a project, and findings about their documents. */
export interface ProjectApis {
  readonly apis: readonly ProjectApi[];
  readonly config: DiffConfig;
  readonly diagnostics: readonly Diagnostic[];
}

/** Options that select the documents of a project. */
export interface ProjectOptions {
  readonly specs?: string | undefined;
  readonly noConfig?: boolean | undefined;
  readonly trustProse?: boolean | undefined;
}

/**
 * Reads the documents of a project, with the patches and the method selection of
 * the config.
 * @param names APIs as `name:version`; empty for all
 */
export async function readProjectApis(
  names: readonly string[],
  { specs, noConfig, trustProse = false }: ProjectOptions,
  cwd: string,
): Promise<ProjectApis> {
  const sink = new Sink();
  const config: DiffConfig =
    noConfig === true
      ? { section: {}, outputs: [] }
      : await readDiffConfig(cwd, sink);
  const project = await projectFinder(specs, cwd, noConfig)(".", sink);
  if (project === undefined || sink.hasErrors)
    return { apis: [], config, diagnostics: sink.diagnostics };
  const listed = await listState(project, cwd);
  const diagnostics = [...sink.diagnostics, ...listed.diagnostics];
  const documents = readInputs(listed, undefined, new Map(), diagnostics);
  const apis = documents.map((input): ProjectApi => {
    const edited = config.editPair?.(input.document, input.document)?.[1];
    const document = edited ?? input.document;
    return {
      id: `${document.name}:${document.version}`,
      document: { ...input, document },
      side: sideOf(document, trustProse),
    };
  });
  const selected = apis.filter(
    ({ id }) => names.length === 0 || names.includes(id),
  );
  const unknown = names.filter((name) => !apis.some(({ id }) => id === name));
  const missing = new Sink();
  for (const name of unknown)
    missing.report(
      "usage",
      `${JSON.stringify(name)} is not an API of the project; expected one of ${apis.map(({ id }) => id).join(", ")}`,
    );
  return {
    apis: selected,
    config,
    diagnostics: [...diagnostics, ...missing.diagnostics],
  };
}
