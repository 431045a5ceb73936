import {
  ApiError,
  type Problem,
} from "../../../generated/runtime/server/index.js";
import type { StartMigrationRequest } from "../../../generated/migration/v1/schemas.js";
import type { Flags } from "./records.js";
import { REPOSITORY } from "./repositories.js";
import type { RefusedError } from "./migrations.js";

/** The flags of a request, with defaults. */
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
 * The names of the repositories of a request, in lower case and without the
 * organization.
 *
 * @param most how many there may be
 * @throws ApiError 422 that names each one at fault
 */
export function namesOf(
  { repositories = [], org_metadata_only = false }: StartMigrationRequest,
  org: string,
  most: number,
): string[] {
  checkCount(repositories.length, org_metadata_only, most);
  const names = repositories.map((text) => nameOf(text, org));
  const problems = names.flatMap((name, index) => {
    const place = `repositories[${index}]`;
    if (name === undefined)
      return [
        problem(
          place,
          `It has to be a repository of ${org}, such as ${org}/hello or hello.`,
        ),
      ];
    const isTwice = names.indexOf(name) < index;
    return isTwice ? [problem(place, "It is listed twice.")] : [];
  });
  if (problems.length > 0) throw unprocessable(problems.slice(0, 100));
  return names as string[];
}

function checkCount(count: number, isOrgOnly: boolean, most: number): void {
  const fail = (message: string): never => {
    throw unprocessable([problem("repositories", message)]);
  };
  if (isOrgOnly && count > 0)
    fail("It has to be empty where org_metadata_only is true.");
  if (!isOrgOnly && count === 0)
    fail("It has to name a repository, unless org_metadata_only is true.");
  if (count > most) fail(`It has more than ${most} repositories.`);
}

function nameOf(text: string, org: string): string | undefined {
  const parts = text.split("/");
  const name = parts.pop()!;
  const isOwn =
    parts.length === 0 ||
    (parts.length === 1 && parts[0]!.toLowerCase() === org.toLowerCase());
  return isOwn && REPOSITORY.test(name) ? name.toLowerCase() : undefined;
}

/** A problem of a member of the body. */
export function problem(
  location: string,
  message: string,
  code: string = "invalid",
): Problem {
  return { message, code, location, locationType: "body" };
}

/** A 422 with its problems. */
export function unprocessable(problems: readonly Problem[]): ApiError {
  return new ApiError(422, "", { problems });
}

/** A migration that can't be started, as callers see it. */
export function refused({ message, code, index }: RefusedError): ApiError {
  const place = index === undefined ? "repositories" : `repositories[${index}]`;
  return unprocessable([problem(place, message, code)]);
}
