import {
  loadWithPackage,
  MissingPackageError,
} from "../../platform/optional-package.js";
import { type Store, StoreError } from "../store/store.js";
import { embeddedJobs } from "./embedded.js";
import type { Jobs, JobsOptions } from "./jobs.js";

/**
 * Opens the jobs of a service. With a database, its processes share the jobs;
 * otherwise the jobs are in the memory of this process.
 *
 * @throws Error with a StoreError as its cause if the database is unavailable, or
 *   if the package for jobs in PostgreSQL is not installed
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
    const cause = new StoreError("unavailable", error.message);
    throw new Error(error.message, { cause });
  }
}
