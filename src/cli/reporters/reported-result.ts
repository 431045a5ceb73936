import type { GroupPlan, PipelineResult } from "../../generate/pipeline.js";

/** Result of a run, or of all jobs of a config. */
export interface ReportedResult extends PipelineResult {
  readonly plans: readonly (GroupPlan & {
    /** Output folder; present if the run used a config. */
    readonly out?: string;
  })[];
  /** Number of jobs; present if the run used a config. */
  readonly jobs?: number;
}
