import type { DataTarget } from "../target.js";

let print: DataTarget["print"] | undefined;

/** Target that exports the schemas of an API as JSON Schema 2020-12. */
export const jsonSchemaTarget: DataTarget = {
  name: "json-schema",
  // The module is imported on demand, so that runs without this target start
  // faster.
  async load() {
    ({ printJsonSchemas: print } = await import("./print.js"));
  },
  print: (input) => print!(input),
};
