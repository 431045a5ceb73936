import { git, type GitLimits } from "./git.js";

/** Git reference, such as a branch or tag. */
export interface Reference {
  readonly name: string;
  readonly oid: string;
}

/** Release, derived from a tag. */
export interface Release {
  readonly tag_name: string;
  readonly target: string;
  readonly author: string | null;
  /** Creation time in ISO 8601 format in UTC; null for tags without a date. */
  readonly created_at: string | null;
  readonly body: string;
}

/** Returns all references of a Git directory. */
export async function references(
  folder: string,
  limits: GitLimits,
): Promise<Reference[]> {
  const format = "--format=%(objectname) %(refname)";
  const text = await git(folder, ["for-each-ref", format], limits);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({
      oid: line.slice(0, line.indexOf(" ")),
      name: line.slice(line.indexOf(" ") + 1),
    }));
}

const RELEASE = [
  "%(refname:strip=2)",
  "%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end)",
  "%(taggername)",
  "%(creatordate:unix)",
  "%(if)%(*objectname)%(then)%(contents)%(end)",
].join("%00");

/** Returns the tags of a Git directory as releases. */
export async function releases(
  folder: string,
  limits: GitLimits,
): Promise<Release[]> {
  const args = [`--format=${RELEASE}%00`, "--", "refs/tags"] as const;
  const text = await git(folder, ["for-each-ref", ...args], limits);
  return text
    .split("\0\n")
    .filter((record) => record !== "")
    .map(releaseOf);
}

function releaseOf(record: string): Release {
  const [tag = "", target = "", author = "", date = "", body = ""] =
    record.split("\0");
  const time = new Date(Number(date) * 1000);
  return {
    tag_name: tag,
    target,
    author: author === "" ? null : author,
    created_at: date === "" ? null : time.toISOString(),
    body: body.trim(),
  };
}
