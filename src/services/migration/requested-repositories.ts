import type { Problem } from "../../../generated/runtime/server/index.js";
import { notFound } from "./access.js";
import type { MigrationConfig } from "./config.js";
import { withPrivateGitFolder } from "./git-folder.js";
import {
  listRepositories,
  readRepository,
  type BareRepository,
} from "./repositories.js";
import { RepositoryError } from "./repository-files.js";
import { problem, unprocessable } from "./request.js";

/**
 * Returns the repositories with the given names in an organization.
 *
 * @throws ApiError 404 if one of the repositories does not exist
 */
export async function findRepositories(
  root: string,
  org: string,
  names: readonly string[],
): Promise<BareRepository[]> {
  if (names.length === 0) return [];
  const repositories = await listRepositories(root, org);
  return names.map((name) => {
    const repository = repositories.get(name);
    if (repository === undefined) throw notFound();
    return repository;
  });
}

/**
 * Maximum number of repositories that are read at the same time. A git process
 * is started for each of them.
 */
const CONCURRENCY = 4;

/** Reads the properties of repositories with git. */
export function readRepositories(
  repositories: readonly BareRepository[],
  { gitSeconds }: MigrationConfig,
  scratch: string,
): Promise<Awaited<ReturnType<typeof readRepository>>[]> {
  const limits = { timeout: Math.min(gitSeconds, 30) * 1000 };
  return forEachRepository(repositories, (repository) =>
    withPrivateGitFolder(repository.folder, scratch, limits, (gitFolder) =>
      readRepository(repository, gitFolder, limits),
    ),
  );
}

/**
 * Runs a function for each repository.
 *
 * @throws ApiError 422 with a problem for each repository that can't be
 *   exported or locked
 */
export async function forEachRepository<T>(
  repositories: readonly BareRepository[],
  run: (repository: BareRepository) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  const problems: Problem[] = [];
  const runOne = async (
    repository: BareRepository,
    index: number,
  ): Promise<void> => {
    try {
      results[index] = await run(repository);
    } catch (error) {
      if (!(error instanceof RepositoryError)) throw error;
      problems.push(problem(`repositories[${index}]`, error.message));
    }
  };
  for (let at = 0; at < repositories.length; at += CONCURRENCY) {
    const group = repositories.slice(at, at + CONCURRENCY);
    await Promise.all(
      group.map((repository, index) => runOne(repository, at + index)),
    );
  }
  if (problems.length > 0) throw unprocessable(problems.slice(0, 100));
  return results;
}
