import type { GroupPlan, PipelineResult } from "../../generate/pipeline.js";

/** Result of a run, or of all jobs of a config. */
export interface ReportedResult extends PipelineResult {
  readonly plans: readonly (GroupPlan & {
    /** Output folder, if the result is that of a config. */
    readonly out?: string;
  })[];
  /** Number of jobs, if the result is that of a config. */
  readonly jobs?: number;
}
