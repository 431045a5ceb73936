// Module that scripts/build.mjs generates from specs/overrides.v1.3.json.

declare module "#built/overrides.js" {
  /** Extension `x-detection`. */
  export const detection: readonly import("./schema/operations.js").DetectionRow[];
  /** Extension `x-upgrade`. */
  export const upgrade: import("./schema/operations.js").UpgradeConstants;
}
