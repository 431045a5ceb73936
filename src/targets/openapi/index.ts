import type { DataTarget } from "../target.js";

let print: DataTarget["print"] | undefined;

/** Target that exports an API as OpenAPI 3.1. */
export const openapiTarget: DataTarget = {
  name: "openapi",
  // The module is imported on demand, so that other targets start without this
  // delay.
  async load() {
    ({ printOpenapi: print } = await import("./print.js"));
  },
  print: (input) => print!(input),
};
