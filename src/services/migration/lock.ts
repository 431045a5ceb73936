import { constants } from "node:fs";
import {
  chmod,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
} from "node:fs/promises";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { git, type GitLimits } from "./git.js";

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
 */
export async function installHook(
  repository: string,
  limits: GitLimits,
): Promise<void> {
  const hooks = await hooksFolder(repository, limits);
  await mkdir(hooks, { recursive: true });
  const hook = path.join(hooks, "pre-receive");
  const text = await readFile(hook, "utf8").catch(() => undefined);
  if (text === HOOK) return;
  const isForeign = text !== undefined && !text.includes(OWN);
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
  await rename(fresh, chained);
}

async function hooksFolder(
  repository: string,
  limits: GitLimits,
): Promise<string> {
  const args = ["--local", "--type=path", "--get", "core.hooksPath"];
  const own = await git(repository, ["config", ...args], limits).catch(
    () => "",
  );
  return path.resolve(repository, own.trim() === "" ? "hooks" : own.trim());
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

/** Writes a file so that it outlives a loss of power. */
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
