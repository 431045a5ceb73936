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
  /**
   * Id of the schema that changed. If the id itself changed, the id in the old
   * document.
   */
  readonly schema?: string;
  /**
   * JSON pointer to the object in the new document, or in the old document if
   * the object was removed.
   */
  readonly pointer: string;
  readonly message: string;
}

/** Change with additional members for human-readable reports. */
export interface DetailedChange extends Change {
  /** Name of the changed object, the first part of `message`. */
  readonly label: string;
  /** Second part of `message`, after the name of the object. */
  readonly text: string;
  readonly kind: Kind;
  /** Document to which `pointer` refers. */
  readonly side: "old" | "new";
  /** Id of a method that uses the changed schema. */
  readonly usedBy?: string;
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
