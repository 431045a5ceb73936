import type { UpgradePlan } from "./plan.js";
import type { UpgradeState } from "./upgrade-state.js";

/** Names of the elements of a plan's fingerprint, in order. */
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
 * Describes how a state differs from a plan; undefined if it belongs to the
 * plan.
 */
export function planDifference(
  { fingerprint, steps }: UpgradeState,
  plan: UpgradePlan,
  own: string,
): string | undefined {
  if (fingerprint !== own) return fingerprintDifference(fingerprint, own);
  for (const [id, step] of Object.entries(steps)) {
    const found = plan.steps.find((one) => one.id === id);
    if (found === undefined) return `steps.${id} is not a step of this plan`;
    const most = found.actions.length;
    if (step.actions > most)
      return `steps.${id}.actions must be an integer from 0 to ${most}`;
  }
  return undefined;
}

function fingerprintDifference(state: string, own: string): string {
  const before = partsOf(state);
  const now = partsOf(own);
  const different = PARTS.flatMap((name, index) => {
    const [old, current] = [before?.[index], now?.[index]].map((part) =>
      Array.isArray(part) ? part.join(" ") : String(part),
    );
    return old === current
      ? []
      : [`${name} was ${short(old!)} and is ${short(current!)}`];
  });
  return before === undefined
    ? "fingerprint must be a list"
    : different.join("; ") || "the fingerprints differ";
}

function partsOf(text: string): readonly unknown[] | undefined {
  try {
    const parts: unknown = JSON.parse(text);
    return Array.isArray(parts) ? parts : undefined;
  } catch {
    return undefined;
  }
}

function short(text: string): string {
  return text.length > 200 ? `${text.slice(0, 197)}...` : text;
}
