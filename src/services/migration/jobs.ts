import { readdir } from "node:fs/promises";
import type { Job } from "../jobs/jobs.js";
import type { MigrationConfig } from "./config.js";
import { migrationKey, type MigrationRecord } from "./records.js";

/**
 * Returns the job of a migration. A process runs it only if its config contains
 * the organization and, if the migration has repositories, its root contains the
 * folder of the organization.
 */
export function jobOf({ org, id, repositories }: MigrationRecord): Job {
  return {
    key: migrationKey(org, id),
    kind: org,
    needs: repositories.length > 0 ? org : undefined,
  };
}

/**
 * Returns the organizations without a folder in the root, in lower case. If the
 * root can't be read, such as a share that is not mounted, all are returned.
 */
export async function absentFolders({
  root,
  organizations,
}: Pick<MigrationConfig, "root" | "organizations">): Promise<string[]> {
  const names = await readdir(root).catch(() => []);
  const present = new Set(names.map((name) => name.toLowerCase()));
  return [...organizations.keys()].filter((org) => !present.has(org));
}
