// Module that scripts/build.mjs generates from generated/overrides/table.json.

declare module "#built/overrides.js" {
  /**
   * Content of generated/overrides/table.json, which scripts/overrides.mjs
   * writes.
   */
  const table: import("./schema/table.js").PropertyTable;
  export default table;
}
