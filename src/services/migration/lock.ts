import { constants } from "node:fs";
import {
  chmod,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  rename,
  rm,
} from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { GitError, gitAsUser, type GitLimits } from "./git.js";
import { refuseForeign, RepositoryError } from "./repository-files.js";
import { readPlain } from "./file-start.js";

/** In a repository's folder while it is locked. */
const MARKER = "migration-lock";

/** By this line the service knows its own hook. */
const OWN = "# Refuses pushes while the repository is locked for a migration.";

/** The hook of others, which is asked after ours. */
const CHAINED = "pre-receive.chained";

/**
 * Git runs hooks in the repository's folder. A hook that was there before goes
 * on as it did: it gets our input and our arguments.
 */
const HOOK = `#!/bin/sh
${OWN}
if [ -e "\${GIT_DIR:-.}/${MARKER}" ]; then
  echo "The repository is locked for a migration." >&2
  exit 1
fi
next="$(dirname -- "$0")/${CHAINED}"
if [ -x "$next" ]; then
  exec "$next" "$@"
fi
exit 0
`;

/**
 * Makes the repository refuse pushes where the marker is. Once it is there,
 * nothing changes; a kill leaves the hook as it was, or the whole new one.
 *
 * @throws RepositoryError where pushes run no hooks, or those of another folder
 */
export async function installHook(
  repository: string,
  limits: GitLimits,
): Promise<void> {
  const hooks = await hooksFolder(repository, limits);
  const hook = path.join(hooks, "pre-receive");
  const found = await readPlain(hook);
  if (found === HOOK && (await isExecutable(hook))) return;
  const isForeign = found !== undefined && !found.includes(OWN);
  if (isForeign) await keepHook(hook, path.join(hooks, CHAINED));
  const fresh = `${hook}.${randomUUID()}`;
  await writeDurably(fresh, HOOK);
  await chmod(fresh, 0o755);
  await rename(fresh, hook);
}

/** A second name for the hook of others; the first stays until it is replaced. */
async function keepHook(hook: string, chained: string): Promise<void> {
  const fresh = `${chained}.${randomUUID()}`;
  await link(hook, fresh);
  // Another process may have put our hook there meanwhile, which must not call itself.
  if ((await readPlain(fresh))?.includes(OWN) !== false) await rm(fresh);
  else await rename(fresh, chained);
}

async function isExecutable(hook: string): Promise<boolean> {
  return ((await lstat(hook)).mode & 0o111) === 0o111;
}

/**
 * The folder whose hooks git runs at a push, with the settings of the repository, the user
 * and the machine. It is the repository's own, or the lock would be bypassed, and the
 * service would write elsewhere.
 *
 * @throws RepositoryError for another folder
 */
async function hooksFolder(
  repository: string,
  limits: GitLimits,
): Promise<string> {
  await refuseForeign(repository);
  const said = await gitAsUser(
    repository,
    ["rev-parse", "--git-path", "hooks"],
    limits,
  ).catch((error: unknown) => {
    if (!(error instanceof GitError)) throw error;
    throw new RepositoryError("Git can't read its settings.");
  });
  const folder = path.resolve(repository, said.replace(/\n$/, ""));
  const inside = path.relative(repository, folder);
  const parts = inside.split(path.sep);
  if (inside === "" || parts[0] === ".." || path.isAbsolute(inside))
    throw new RepositoryError(
      "It can't be locked: pushes run hooks of a folder outside of it (core.hooksPath).",
    );
  if (GITS_OWN.has(parts[0]!))
    throw new RepositoryError(
      "It can't be locked: core.hooksPath is a folder of git's own.",
    );
  for (let depth = 1; depth <= parts.length; depth++)
    await ownFolder(path.join(repository, ...parts.slice(0, depth)));
  return folder;
}

/** Folders of a repository that must not get hooks. */
const GITS_OWN = new Set(["objects", "refs", "info", "logs", "worktrees"]);

/** Makes a folder where there is none. @throws RepositoryError for a link */
async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  if (!(await lstat(folder)).isDirectory())
    throw new RepositoryError(
      "It can't be locked: its hooks folder must not be a link.",
    );
}

/** Locks or unlocks a repository; nothing happens where it is so already. */
export async function setMarker(
  repository: string,
  migration: number | undefined,
): Promise<void> {
  const marker = path.join(repository, MARKER);
  if (migration === undefined) await rm(marker, { force: true });
  else await writeDurably(marker, `${JSON.stringify({ migration })}\n`);
}

/** Whether a repository refuses pushes. */
export async function hasMarker(repository: string): Promise<boolean> {
  return (await readdir(repository)).includes(MARKER);
}

/** Writes a file anew, never through a link that somebody put in its place. */
async function writeDurably(file: string, text: string): Promise<void> {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const handle = await open(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
