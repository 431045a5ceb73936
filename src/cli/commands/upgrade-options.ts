import path from "node:path";
import { spawnSync } from "node:child_process";
import { formatCount } from "../../diagnostics/format-count.js";
import { readFileLimited } from "../../platform/read-limited.js";
import { readUpgradeSettings } from "../../overrides/upgrade/settings.js";
import {
  dryRunValue,
  parseKubectlVersion,
} from "../../overrides/upgrade/tool-table.js";
import { PlanError } from "../../overrides/upgrade/plan-options.js";
import { versionProblem } from "../../overrides/upgrade/plan-options.js";
import { planUpgrade, type UpgradePlan } from "../../overrides/upgrade/plan.js";
import type { OverridesDiagnostic } from "../../overrides/finding.js";
import { quoteArgument } from "../../overrides/upgrade/argument.js";
import { checkFile, resolveCheckOptions } from "../../overrides/validate.js";
import { UsageError } from "../command.js";
import type { OptionRow } from "../../generate/options.js";

/** Option values from which a plan is built. */
export interface PlanValues {
  readonly overrides: string;
  readonly oldOverrides?: string;
  readonly from: string;
  readonly to: string;
  readonly mode: "prod" | "demo";
  readonly platform?: string;
  readonly kubectl?: string;
  readonly tool: string;
  readonly home?: string;
  readonly oldHome?: string;
  readonly martAccount?: string;
  readonly cleanUpScript?: string;
  readonly allEnvs?: boolean;
}

/** Options of `upgrade plan`, `upgrade run` and `upgrade status`. */
export const planOptions: readonly OptionRow[] = [
  {
    name: "overrides",
    kind: "text",
    value: "file",
    required: true,
    description: "overrides file for the new version of the runtime",
  },
  {
    name: "oldOverrides",
    kind: "text",
    value: "file",
    description:
      "overrides file for the old version of the runtime (default: the .bak file that gen overrides rewrite saved)",
  },
  {
    name: "from",
    kind: "text",
    value: "version",
    required: true,
    description: "installed version, such as 1.2.0",
  },
  {
    name: "to",
    kind: "text",
    value: "version",
    default: "1.3.6",
    description: "version to upgrade to",
  },
  {
    name: "mode",
    kind: "choice",
    value: "mode",
    choices: ["prod", "demo"],
    default: "prod",
    description:
      "prod: upgrade with backups, component by component; demo: upgrade without backups, in one step",
  },
  {
    name: "platform",
    kind: "choice",
    value: "name",
    choices: ["gke", "anthos", "aks"],
    description: "platform of the cluster",
  },
  {
    name: "kubectl",
    kind: "text",
    value: "version",
    description:
      "version of kubectl; commands in the plan use --dry-run=true up to 1.17, and --dry-run=client since 1.18 (default: the installed version)",
  },
  {
    name: "tool",
    kind: "text",
    value: "name",
    default: "apigeectl",
    description: "new apigeectl: the name of a program on the PATH, or a path",
  },
  {
    name: "home",
    kind: "text",
    value: "dir",
    description:
      "directory in which the new apigeectl runs (default: the working directory)",
  },
  {
    name: "oldHome",
    kind: "text",
    value: "dir",
    description:
      "folder of the old apigeectl; step P1 backs up this folder, and step D3 runs the old apigeectl to delete the old runtime",
  },
  {
    name: "martAccount",
    kind: "text",
    value: "mail",
    description:
      "email address of MART's service account (default: read from its key file, or derived from the file's name)",
  },
  {
    name: "cleanUpScript",
    kind: "text",
    value: "file",
    description: "script that removes the old database",
  },
  {
    name: "allEnvs",
    kind: "switch",
    description: "install all environments in one step",
  },
];

/**
 * Builds an upgrade plan from the option values. Throws UsageError for invalid
 * values.
 */
export function buildPlan(values: PlanValues, cwd: string): UpgradePlan {
  const refusal = versionProblem(values.from, values.to);
  if (refusal !== undefined) throw new UsageError(refusal);
  const kubectl = values.kubectl ?? installedKubectl();
  const dryRun = kubectl === undefined ? undefined : dryRunValue(kubectl);
  if (kubectl === undefined || dryRun === undefined)
    throw new UsageError(
      "the version of kubectl could not be read; pass the version with --kubectl, such as --kubectl 1.17",
    );
  const settings = readSettings(values, cwd);
  const { home, oldHome, platform, cleanUpScript } = values;
  const absolute = (file: string): string => path.resolve(cwd, file);
  const overrides =
    home === undefined
      ? withoutLeadingDash(values.overrides)
      : absolute(values.overrides);
  const folder = home === undefined ? undefined : absolute(home);
  return planOrUsageError({
    overrides,
    oldOverrides: absolute(values.oldOverrides ?? `${values.overrides}.bak`),
    from: values.from,
    to: values.to,
    mode: values.mode,
    ...(platform === undefined ? {} : { platform }),
    dryRun,
    kubectl,
    tool:
      folder !== undefined && !values.tool.includes("/")
        ? path.join(folder, values.tool)
        : values.tool,
    ...(folder === undefined ? {} : { home: folder }),
    ...(oldHome === undefined ? {} : { oldHome: absolute(oldHome) }),
    ...(cleanUpScript === undefined
      ? {}
      : { cleanUp: absolute(cleanUpScript) }),
    allEnvs: values.allEnvs === true,
    settings,
  });
}

/**
 * Prefixes a path that begins with a hyphen with `./`, because `apigeectl` would
 * otherwise parse the path as an option.
 */
function withoutLeadingDash(file: string): string {
  return file.startsWith("-") ? `./${file}` : file;
}

function planOrUsageError(options: UpgradePlan["options"]): UpgradePlan {
  try {
    return planUpgrade(options);
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    throw new UsageError(`${options.overrides}: ${error.message}`);
  }
}

/**
 * Reads the settings of an overrides file. The file must be valid, because its
 * values become parts of commands.
 */
function readSettings(
  { overrides, home, martAccount, mode }: PlanValues,
  cwd: string,
): UpgradePlan["options"]["settings"] {
  let bytes: Buffer;
  try {
    bytes = readFileLimited(path.resolve(cwd, overrides));
  } catch (error) {
    throw new UsageError(`${overrides}: ${(error as Error).message}`);
  }
  const { root, diagnostics } = checkFile(
    overrides,
    bytes,
    resolveCheckOptions("1.3.6", { mode }),
  );
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (root === undefined || first !== undefined)
    throw new UsageError(invalidFileMessage(overrides, mode, errors));
  const settings = readUpgradeSettings(root, path.resolve(cwd, home ?? "."));
  for (const key of ["org", "project"] as const)
    if (settings[key] === "")
      throw new UsageError(
        `${overrides} must have ${key === "org" ? "org" : "gcp.projectID"}; \`gen overrides validate\` shows all findings`,
      );
  return martAccount === undefined ? settings : { ...settings, martAccount };
}

/**
 * Returns a message that describes the first error and names the command that
 * shows all errors.
 */
function invalidFileMessage(
  file: string,
  mode: string,
  errors: readonly OverridesDiagnostic[],
): string {
  const [first] = errors;
  const at =
    first === undefined
      ? ""
      : `${first.line}:${first.column}: ${first.code}: ${first.message}`;
  const count = formatCount(errors.length, "error");
  return `${file} has ${count}: ${at}; \`gen overrides validate ${quoteArgument(file)} --mode ${mode}\` shows all findings`;
}

/** Reads the version of the installed kubectl without contacting a cluster. */
function installedKubectl(): string | undefined {
  const { status, stdout } = spawnSync("kubectl", ["version", "--client"], {
    encoding: "utf8",
    timeout: 10_000,
  });
  return status === 0 ? parseKubectlVersion(stdout) : undefined;
}
