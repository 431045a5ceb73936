// Module that scripts/build.mjs makes from generated/overrides/table.json.

declare module "#built/overrides.js" {
  /** generated/overrides/table.json, as scripts/overrides.mjs made it. */
  const table: import("./schema/table.js").Table;
  export default table;
}
