import type { GroupPlan, PipelineResult } from "../../generate/pipeline.js";

/** Result of a run, or of all jobs of a config. */
export interface ReportedResult extends PipelineResult {
  readonly plans: readonly (GroupPlan & {
    /** Output folder; present if a config was run. */
    readonly out?: string;
  })[];
  /** Number of jobs; present if a config was run. */
  readonly jobs?: number;
}
