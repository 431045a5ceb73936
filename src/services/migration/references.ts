import { gitObjects, gitRecords, type GitLimits } from "./git.js";

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

/**
 * Maximum size in bytes of a tag or commit that is read for a release. Of larger
 * objects, the release contains only the name and the id.
 */
const MAX_OBJECT = 1024 * 1024;

/** Yields the references of a Git directory, without storing the list. */
export async function* references(
  folder: string,
  limits: GitLimits,
): AsyncGenerator<Reference> {
  const args = ["--format=%(objectname) %(refname)"] as const;
  for await (const line of gitRecords(
    folder,
    ["for-each-ref", ...args],
    limits,
  ))
    yield {
      oid: line.slice(0, line.indexOf(" ")),
      name: line.slice(line.indexOf(" ") + 1),
    };
}

/** Prefix of the names of tags. */
const TAGS = "refs/tags/";

/**
 * Yields the tags of a Git directory as releases. One tag is read at a time, so
 * that memory does not depend on their number.
 */
export async function* releases(
  folder: string,
  limits: GitLimits,
): AsyncGenerator<Release> {
  const args = ["--format=%(objectname) %(refname)", "--", TAGS] as const;
  const objects = gitObjects(folder, MAX_OBJECT, limits);
  try {
    for await (const line of gitRecords(
      folder,
      ["for-each-ref", ...args],
      limits,
    )) {
      const oid = line.slice(0, line.indexOf(" "));
      const name = line.slice(line.indexOf(" ") + 1 + TAGS.length);
      yield releaseOf(name, oid, await objects.read(oid));
    }
  } finally {
    objects.close();
  }
}

/**
 * Returns the release of a tag.
 *
 * @param text the tag object, or the commit of a tag without an object; undefined
 *   if it is too large or another object
 */
function releaseOf(
  name: string,
  oid: string,
  text: string | undefined,
): Release {
  const [header = "", body = ""] = split(text ?? "", "\n\n");
  const fields = new Map(header.split("\n").map((line) => split(line, " ")));
  const isTag = fields.has("tag");
  const tagger = fields.get("tagger");
  const { author, created_at } = signatureOf(
    tagger ?? fields.get("committer") ?? "",
  );
  return {
    tag_name: name,
    target: (isTag ? fields.get("object") : undefined) ?? oid,
    author: tagger === undefined || author === "" ? null : author,
    created_at,
    body: isTag ? body.trim() : "",
  };
}

/** Reads the signature of a tag or commit: `Name <email> <seconds> <zone>`. */
function signatureOf(text: string): {
  readonly author: string;
  readonly created_at: string | null;
} {
  const [author, rest] = split(text, "<");
  const [, time] = split(rest, "> ");
  const seconds = /^-?\d{1,15}/.exec(time)?.[0];
  return {
    author: author.trim(),
    created_at: seconds === undefined ? null : timeOf(Number(seconds) * 1000),
  };
}

/** Returns a time in ISO 8601 format; null if it is out of range. */
function timeOf(milliseconds: number): string | null {
  const time = new Date(milliseconds);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function split(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0
    ? [text, ""]
    : [text.slice(0, at), text.slice(at + separator.length)];
}
