/**
 * Row of the table that is used to detect the version of a file. The first row
 * that matches the file's properties determines the version.
 */
export interface DetectionRow {
  readonly version?: string;
  /**
   * True if the row matches any property that was introduced after the newest
   * supported version.
   */
  readonly later?: true;
  readonly any?: readonly string[];
  readonly none?: readonly string[];
  /** Paths of properties, at least two of which must be present. */
  readonly with?: readonly string[];
  readonly why: string;
}

/** Names and versions that are used to plan an upgrade. */
export interface UpgradeConstants {
  readonly from: string;
  readonly to: string;
  readonly mesh: string;
  readonly certManager: string;
  readonly platforms: Readonly<
    Record<string, { readonly name: string; readonly version: string }>
  >;
  readonly oldComponents: readonly string[];
  readonly roles: Readonly<Record<string, string>>;
  readonly features: readonly string[];
  readonly minReplicas: number;
  readonly names: {
    readonly oldInstallerJob: string;
    readonly oldTelemetryCrd: string;
    readonly oldCassandraPod: string;
    readonly newCassandraPod: string;
    readonly meshNamespace: string;
    readonly certManagerNamespace: string;
    readonly systemNamespace: string;
    readonly controller: string;
    readonly watcherAccount: string;
  };
}
