import type { Finding, Verdicts } from "./rule.js";
import {
  AUDIENCES,
  SEVERITIES,
  STABILITIES,
  type Audience,
  type Bump,
  type Change,
  type DetailedChange,
  type Severity,
  type Stability,
  type Verdict,
} from "./types.js";

/** Directions in which a value is used (request, response), as bits. */
export type Directions = number;
export const REQUEST = 1;
export const RESPONSE = 2;
/**
 * Bit for the bodies of PATCH requests. All members of these bodies are
 * optional.
 */
export const PATCH = 4;

/** Returns the higher of two severities. */
export function moreSevere(a: Severity, b: Severity): Severity {
  return SEVERITIES.indexOf(a) <= SEVERITIES.indexOf(b) ? a : b;
}

/**
 * Returns the highest of a change's severities for clients, servers and types.
 */
export function mostSevere(change: Record<Audience, Severity>): Severity {
  return AUDIENCES.map((audience) => change[audience]).reduce(moreSevere);
}

/**
 * Returns the severity of a finding for each audience. If no method uses the
 * value, its direction is unknown, and the higher of the severities for
 * requests and responses applies.
 */
export function severitiesOf(
  verdicts: Verdicts,
  { verdict = {} }: Pick<Finding, "verdict">,
  directions: Directions,
): Record<Audience, Severity> {
  const [client, server, types] = verdictOf(verdicts, directions);
  return { client, server, types, ...verdict };
}

function verdictOf(verdicts: Verdicts, directions: Directions): Verdict {
  if (!("request" in verdicts)) return verdicts;
  const { request, response, patch = request } = verdicts;
  const used = [
    ...(directions & REQUEST ? [request] : []),
    ...(directions & RESPONSE ? [response] : []),
    ...(directions & PATCH ? [patch] : []),
  ];
  const [first, ...rest] = used.length === 0 ? [request, response] : used;
  return rest.reduce<Verdict>(
    (a, b) => [
      moreSevere(a[0], b[0]),
      moreSevere(a[1], b[1]),
      moreSevere(a[2], b[2]),
    ],
    first!,
  );
}

/**
 * Returns the stability that the name of a version indicates, such as beta for
 * `v1beta1`.
 */
export function stabilityOf(version: string): Stability {
  if (/alpha|dev|preview|experimental|eap/i.test(version)) return "alpha";
  return /beta|^v\d+p\d/i.test(version) ? "beta" : "stable";
}

/**
 * Returns true if a version is less stable than the given stability. Breaking
 * changes to such a version are reported as warnings.
 */
export function isLessStable(version: string, lowest: Stability): boolean {
  return (
    STABILITIES.indexOf(stabilityOf(version)) > STABILITIES.indexOf(lowest)
  );
}

/** Returns severities in which each `breaking` is replaced by `warning`. */
export function withoutBreaking(
  severities: Record<Audience, Severity>,
): Record<Audience, Severity> {
  const lower = (severity: Severity): Severity =>
    severity === "breaking" ? "warning" : severity;
  return {
    client: lower(severities.client),
    server: lower(severities.server),
    types: lower(severities.types),
  };
}

/**
 * Returns the part of the version number that a release with the changes must
 * increase.
 */
export function bumpOf(changes: readonly DetailedChange[]): Bump {
  if (changes.length === 0) return "none";
  if (changes.some((change: Change) => mostSevere(change) === "breaking"))
    return "major";
  return changes.every(({ kind }) => kind === "text") ? "patch" : "minor";
}
