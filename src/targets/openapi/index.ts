import type { DataTarget } from "../target.js";

let print: DataTarget["print"] | undefined;

/** Target that exports an API as OpenAPI 3.1. */
export const openapiTarget: DataTarget = {
  name: "openapi",
  // The module is imported on demand, so that runs without this target start
  // faster.
  async load() {
    ({ printOpenapi: print } = await import("./print.js"));
  },
  print: (input) => print!(input),
};
