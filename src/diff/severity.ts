import type { AcceptedChange } from "../config/gen-config.js";
import type { UsePosition } from "./uses/types.js";

/** Severities, most severe first. */
export const SEVERITIES = ["breaking", "warning", "info"] as const;

/** Severity of a change for one audience. */
export type Severity = (typeof SEVERITIES)[number];

/**
 * Audiences of changes, in the order of the columns in the documentation's
 * table of rules.
 */
export const AUDIENCES = ["client", "server", "types"] as const;

/**
 * Audience that a change can affect. `client`: callers that are already
 * deployed; changes to requests and responses affect them. `server`: handlers
 * written for the generated server. `types`: callers that are compiled with the
 * new generated types.
 */
export type Audience = (typeof AUDIENCES)[number];

/** Severities of a change for `client`, `server` and `types`, in this order. */
export type Verdict = readonly [
  client: Severity,
  server: Severity,
  types: Severity,
];

/**
 * Severities of a change, or separate severities for values in requests and in
 * responses.
 */
export type Verdicts =
  | Verdict
  | {
      readonly request: Verdict;
      readonly response: Verdict;
      /**
       * Severities for values that occur only in PATCH requests. Default: the
       * value of `request`.
       */
      readonly patch?: Verdict;
    };

/**
 * Section of a changelog. `text` is the section for changes to descriptions.
 */
export type Kind = "removed" | "changed" | "added" | "deprecated" | "text";

/** Change between two documents of an API, as in the JSON report. */
export interface Change {
  readonly rule: string;
  /**
   * 16 hexadecimal digits that identify the change, independently of the
   * revision.
   */
  readonly fingerprint: string;
  readonly client: Severity;
  readonly server: Severity;
  readonly types: Severity;
  /** Id of the method that changed. */
  readonly method?: string;
  /** Id of the method in the old document, if the id changed. */
  readonly oldMethod?: string;
  /**
   * Id of the schema that changed. If the id itself changed, the id in the old
   * document.
   */
  readonly schema?: string;
  /** Name of the property that changed. */
  readonly property?: string;
  /**
   * JSON pointer to the changed value in the new document, or in the old
   * document if the value was removed.
   */
  readonly pointer: string;
  /**
   * JSON pointers to the changed object in both documents. One is absent if the
   * object was added or removed.
   */
  readonly oldPointer?: string;
  readonly newPointer?: string;
  /**
   * Ids of the methods whose requests or responses contain the changed schema,
   * sorted. Ids in the old document if the schema or property was removed.
   */
  readonly users?: readonly string[];
  /**
   * Positions in the user's code that the change affects (`--uses`). Absent if
   * the use of the API was not determined.
   */
  readonly usedAt?: readonly UsePosition[];
  /** Entry of the policy that accepts the change. */
  readonly accepted?: AcceptedChange;
  readonly message: string;
}

/** Change with additional members for human-readable reports. */
export interface DetailedChange extends Change {
  /** Name of the changed object, the first part of `message`. */
  readonly label: string;
  /** Second part of `message`, after the name of the object. */
  readonly text: string;
  readonly kind: Kind;
  /** String that distinguishes findings of a rule about the same object. */
  readonly detail?: string | undefined;
  /** Document to which `pointer` refers. */
  readonly side: "old" | "new";
}

/**
 * Part of the version number that a release of the generated code must
 * increase.
 */
export type Bump = "major" | "minor" | "patch" | "none";

/** Comparison of two documents of an API. */
export interface DiffResult<C extends Change = Change> {
  /** API as `<name>:<version>`. */
  readonly api: string;
  /** Revision of the old document; null if the API was added. */
  readonly from: string | null;
  /** Revision of the new document; null if the API was removed. */
  readonly to: string | null;
  readonly bump: Bump;
  readonly changes: readonly C[];
}

/** Stability levels of API versions. */
export const STABILITIES = ["stable", "beta", "alpha"] as const;
export type Stability = (typeof STABILITIES)[number];

/** Options of `diffDocuments`, which compares two documents of an API. */
export interface DiffOptions {
  /**
   * True to derive required and read-only properties from the phrases
   * "Required." and "Output only." in descriptions. Default: false.
   */
  readonly trustProse?: boolean | undefined;
  /**
   * Lowest stability at which breaking changes have the severity `breaking`.
   * For less stable versions, they are warnings. Default: `alpha`, which
   * includes all versions.
   */
  readonly stability?: Stability | undefined;
}

/** Directions in which a value is used (request, response), as bits. */
export type Directions = number;
export const REQUEST = 1;
export const RESPONSE = 2;
/**
 * Bit for the bodies of PATCH requests. All members of these bodies are
 * optional.
 */
export const PATCH = 4;

/** Returns true if the user's code uses what a change affects. */
export function isUsed({ usedAt = [] }: Pick<Change, "usedAt">): boolean {
  return usedAt.length > 0;
}

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

/** Returns changes sorted by their highest severity, otherwise in their order. */
export function mostSevereFirst<C extends Change>(changes: readonly C[]): C[] {
  const rank = (change: Change): number =>
    SEVERITIES.indexOf(mostSevere(change));
  return [...changes].sort((a, b) => rank(a) - rank(b));
}

/**
 * Returns the severity of a finding for each audience. If no method uses the
 * value, its direction is unknown, and the higher of the severities for
 * requests and responses applies.
 */
export function severitiesOf(
  verdicts: Verdicts,
  {
    verdict = {},
  }: {
    readonly verdict?: Partial<Record<Audience, Severity>> | undefined;
  },
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
function stabilityOf(version: string): Stability {
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
