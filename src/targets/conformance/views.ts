import type { Code } from "../../render/typescript/code.js";

declare module "../../render/engine.js" {
  interface TemplateViews {
    "conformance/conformance": ConformanceView;
    "conformance/register": RegisterView;
  }
}

/** Template data for conformance.ts. */
export interface ConformanceView {
  readonly banner: Code;
  readonly imports: Code;
  readonly Plan: Code;
  readonly Check: Code;
  readonly Options: Code;
  readonly entries: readonly Code[];
  /** Statement that returns the checks. */
  readonly call: Code;
}

/** Template data for conformance.test.ts. */
export interface RegisterView {
  readonly banner: Code;
  readonly imports: Code;
  /** Statement that registers the checks. */
  readonly call: Code;
}
