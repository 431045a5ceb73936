import {
  ApiError,
  type Problem,
} from "../../../generated/runtime/server/index.js";
import type { StartMigrationRequest } from "../../../generated/migration/v1/schemas.js";
import type { Flags } from "./records.js";
import { REPOSITORY_NAME } from "./repositories.js";
import type { StartError } from "./migration-request.js";

/**
 * Returns the boolean options of a request, with defaults for absent options.
 */
export function flagsOf(body: StartMigrationRequest): Flags {
  return {
    lock_repositories: body.lock_repositories ?? false,
    exclude_metadata: body.exclude_metadata ?? false,
    exclude_git_data: body.exclude_git_data ?? false,
    exclude_attachments: body.exclude_attachments ?? false,
    exclude_releases: body.exclude_releases ?? false,
    exclude_owner_projects: body.exclude_owner_projects ?? false,
    org_metadata_only: body.org_metadata_only ?? false,
  };
}

/**
 * Returns the names of the repositories in a request, in lower case and without
 * the organization.
 *
 * @param max maximum number of repositories
 * @throws ApiError 422 that lists each invalid repository
 */
export function namesOf(
  { repositories = [], org_metadata_only = false }: StartMigrationRequest,
  org: string,
  max: number,
): string[] {
  checkCount(repositories.length, org_metadata_only, max);
  const names = repositories.map((text) => nameOf(text, org));
  const problems = names.flatMap((name, index) => {
    const location = `repositories[${index}]`;
    if (name === undefined)
      return [
        problem(
          location,
          `The value must be a repository of ${org}, such as ${org}/hello or hello.`,
        ),
      ];
    const isDuplicate = names.indexOf(name) < index;
    return isDuplicate
      ? [problem(location, "The repository is listed more than once.")]
      : [];
  });
  if (problems.length > 0) throw unprocessable(problems.slice(0, 100));
  return names as string[];
}

function checkCount(count: number, isOrgOnly: boolean, max: number): void {
  const fail = (message: string): never => {
    throw unprocessable([problem("repositories", message)]);
  };
  if (isOrgOnly && count > 0)
    fail("The list must be empty if org_metadata_only is true.");
  if (!isOrgOnly && count === 0)
    fail(
      "The list must contain a repository unless org_metadata_only is true.",
    );
  if (count > max) fail(`The list must contain at most ${max} repositories.`);
}

function nameOf(text: string, org: string): string | undefined {
  const parts = text.split("/");
  const name = parts.pop()!;
  const isInOrganization =
    parts.length === 0 ||
    (parts.length === 1 && parts[0]!.toLowerCase() === org.toLowerCase());
  return isInOrganization && REPOSITORY_NAME.test(name)
    ? name.toLowerCase()
    : undefined;
}

/** Returns a problem about a member of the request body. */
export function problem(
  location: string,
  message: string,
  code: string = "invalid",
): Problem {
  return { message, code, location, locationType: "body" };
}

/** Returns a 422 error with a list of problems. */
export function unprocessable(problems: readonly Problem[]): ApiError {
  return new ApiError(422, "", { problems });
}

/** Converts a StartError to a 422 error. */
export function startProblem({ message, code, index }: StartError): ApiError {
  const location =
    index === undefined ? "repositories" : `repositories[${index}]`;
  return unprocessable([problem(location, message, code)]);
}
