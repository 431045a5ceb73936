import type { UpgradePlan } from "./plan.js";
import type { UpgradeState } from "./upgrade-state.js";

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
