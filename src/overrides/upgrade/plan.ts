import { upgrade } from "#built/overrides.js";
import { commandLine } from "./argument.js";
import { certManagerStep } from "./cert-manager.js";
import { cleanUpSteps } from "./clean-up.js";
import {
  createCheck,
  kubectlCommand,
  manualAction,
  repeatableAction,
} from "./commands.js";
import { checkPlanOptions, type PlanOptions } from "./plan-options.js";
import { preparationSteps } from "./preparation.js";
import type { RunOptions } from "./run-options.js";
import { runtimeSteps } from "./runtime.js";
import type { UpgradeState } from "./state-file.js";
import type { Step } from "./step.js";

/** Upgrade plan with its steps in order. */
export interface UpgradePlan {
  readonly options: PlanOptions;
  readonly steps: readonly Step[];
}

/** Plans an upgrade. Throws PlanError if an option is not valid. */
export function planUpgrade(options: PlanOptions): UpgradePlan {
  checkPlanOptions(options);
  const steps = [
    ...preparationSteps(options),
    ...meshSteps(options),
    ...runtimeSteps(options),
    ...cleanUpSteps(options),
  ];
  return { options, steps };
}

/**
 * Returns a string that identifies a plan. It does not depend on the content of
 * the overrides file, because the upgrade changes that file.
 */
export function fingerprintOf({ options, steps }: UpgradePlan): string {
  const { from, to, mode, settings } = options;
  return JSON.stringify([
    from,
    to,
    mode,
    settings.org,
    settings.project,
    settings.namespace,
    steps.map(({ id }) => id),
  ]);
}

/**
 * Names of the values in the fingerprint of a plan, in the order of the
 * fingerprint.
 */
const PARTS = [
  "--from",
  "--to",
  "--mode",
  "org",
  "gcp.projectID",
  "namespace",
  "the steps",
] as const;

/** Options of a plan that a state file records. */
export interface RecordedOptions {
  readonly from?: string;
  readonly to?: string;
  readonly mode?: "prod" | "demo";
}

/** Returns the options of the plan that created a state. */
export function recordedOptions({
  fingerprint,
}: UpgradeState): RecordedOptions {
  const [from, to, mode] = partsOf(fingerprint) ?? [];
  return {
    ...(typeof from === "string" ? { from } : {}),
    ...(typeof to === "string" ? { to } : {}),
    ...(mode === "prod" || mode === "demo" ? { mode } : {}),
  };
}

/**
 * Describes how the plan of a stored state differs from the given plan; returns
 * undefined if both are the same plan.
 */
export function planDifference(
  { fingerprint, steps }: UpgradeState,
  plan: UpgradePlan,
  planFingerprint: string,
): string | undefined {
  if (fingerprint !== planFingerprint)
    return fingerprintDifference(fingerprint, planFingerprint);
  for (const [id, step] of Object.entries(steps)) {
    const planned = plan.steps.find((candidate) => candidate.id === id);
    if (planned === undefined) return `steps.${id} is not a step of this plan`;
    const most = planned.actions.length;
    if (step.actions > most)
      return `steps.${id}.actions must be an integer from 0 to ${most}`;
  }
  return undefined;
}

function fingerprintDifference(state: string, planFingerprint: string): string {
  const before = partsOf(state);
  const now = partsOf(planFingerprint);
  const different = PARTS.flatMap((name, index) => {
    const [old, current] = [before?.[index], now?.[index]].map((part) =>
      Array.isArray(part) ? part.join(" ") : String(part),
    );
    return old === current
      ? []
      : [`${name} was ${truncate(old!)} and is now ${truncate(current!)}`];
  });
  return before === undefined
    ? "fingerprint must be a list"
    : different.join("; ") || "the plans have different fingerprints";
}

function partsOf(text: string): readonly unknown[] | undefined {
  try {
    const parts: unknown = JSON.parse(text);
    return Array.isArray(parts) ? parts : undefined;
  } catch {
    return undefined;
  }
}

function truncate(text: string): string {
  return text.length > 200 ? `${text.slice(0, 197)}...` : text;
}

/** Tests whether a step was completed or skipped. */
export function isCompleted({ steps }: UpgradeState, id: string): boolean {
  const status = steps[id]?.status;
  return status === "done" || status === "skipped";
}

/** Returns the steps to run, in plan order. */
export function selectedSteps(
  { steps }: UpgradePlan,
  { only, fromStep }: RunOptions,
): readonly Step[] {
  if (only !== undefined) return steps.filter(({ id }) => only.includes(id));
  const start = steps.findIndex(({ id }) => id === fromStep);
  return steps.slice(Math.max(0, start));
}

/** Returns the ids of earlier steps that are required but not completed. */
export function incompleteStepsBefore(
  { steps }: UpgradePlan,
  state: UpgradeState,
  step: Step,
): string[] {
  return steps
    .slice(0, steps.indexOf(step))
    .filter(({ id, isOptional }) => !isOptional && !isCompleted(state, id))
    .map(({ id }) => id);
}

/**
 * Returns the steps of phase B, which upgrade the service mesh and
 * cert-manager.
 */
function meshSteps(options: PlanOptions): Step[] {
  const { names, minReplicas } = upgrade;
  const { namespace } = options.settings;
  const inMesh = (...args: string[]) =>
    kubectlCommand("-n", names.meshNamespace, ...args);
  const common = { phase: "mesh", isOptional: false } as const;
  return [
    {
      ...common,
      id: "B1",
      title: `Scale the deployments and autoscalers of the service mesh to at least ${minReplicas} replicas`,
      preconditions: [
        `the upgrade of the service mesh requires at least ${minReplicas} replicas; otherwise, disruption budgets block it`,
      ],
      actions: [
        {
          kind: "builtin",
          name: "raise-replicas",
          like: [
            inMesh("get", "deployments,hpa", "-o", "json"),
            inMesh("scale", "deployment", "NAME", `--replicas=${minReplicas}`),
            inMesh(
              "patch",
              "hpa",
              "NAME",
              "--type",
              "merge",
              "-p",
              JSON.stringify({ spec: { minReplicas } }),
            ),
          ],
        },
      ],
      checks: [],
      undo: "scale the deployments and autoscalers down again",
      isDestructive: false,
    },
    {
      ...common,
      id: "B2",
      title: `Install service mesh ${upgrade.mesh} or later`,
      preconditions: [
        "the old manifests are saved",
        "the address of the load balancer is known; `gen overrides rewrite` lists it",
      ],
      actions: [
        manualAction(
          `install service mesh ${upgrade.mesh} or later with its installer, and keep the address of the load balancer`,
        ),
      ],
      checks: [
        createCheck(
          "the pods of the service mesh are ready",
          inMesh("get", "pods", "--no-headers"),
          { kind: "pods-ready" },
        ),
        createCheck(
          `the service mesh has version ${upgrade.mesh} or later`,
          inMesh(
            "get",
            "deployments",
            "-l",
            "app=istiod",
            "-o",
            "jsonpath={.items[*].spec.template.spec.containers[*].image}",
          ),
          { kind: "images", least: upgrade.mesh },
        ),
      ],
      undo: "install the old version from the saved manifests",
      isDestructive: false,
    },
    { ...common, ...certManagerStep(options) },
    {
      ...common,
      id: "B4",
      title: "Delete the old installer job and the old telemetry CRD",
      preconditions: [
        `the names of the job and the CRD match those in the cluster; list them with: kubectl get crd; ${commandLine(kubectlCommand("get", "jobs", "-n", namespace))}`,
      ],
      actions: [
        repeatableAction(
          ..."kubectl delete job --ignore-not-found".split(" "),
          names.oldInstallerJob,
          "-n",
          namespace,
        ),
        repeatableAction(
          ..."kubectl delete crd --ignore-not-found".split(" "),
          names.oldTelemetryCrd,
        ),
      ],
      checks: [
        createCheck(
          "the old telemetry CRD is deleted",
          kubectlCommand(
            "get",
            "crd",
            names.oldTelemetryCrd,
            "--ignore-not-found",
          ),
          { kind: "nothing" },
        ),
      ],
      undo: "run `init` with the old apigeectl, which creates both resources again",
      isDestructive: true,
    },
  ];
}
