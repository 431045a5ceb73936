import {
  loadWithPackage,
  MissingPackageError,
} from "../../platform/optional-package.js";
import { ConfigError } from "../service.js";
import type { Store } from "../store/store.js";
import { embeddedJobs } from "./embedded.js";
import type { Jobs, JobsOptions } from "./jobs.js";

/**
 * Opens the jobs of a service. With a database, its processes share the jobs;
 * otherwise the jobs are in the memory of this process.
 *
 * @throws ConfigError if the package for jobs in PostgreSQL is not installed
 */
export async function openJobs(
  { pool }: Pick<Store, "pool">,
  options: JobsOptions,
): Promise<Jobs> {
  if (pool === undefined) return embeddedJobs(options);
  try {
    const { postgresJobs } = await loadWithPackage(
      "graphile-worker",
      "The migration service with PostgreSQL",
      () => import("./postgres.js"),
    );
    return await postgresJobs(pool, options);
  } catch (error) {
    if (!(error instanceof MissingPackageError)) throw error;
    throw new ConfigError("", error.message);
  }
}
