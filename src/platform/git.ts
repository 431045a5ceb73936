import { spawnSync } from "node:child_process";

/** Error for a git process that failed. */
export class GitError extends Error {}

/**
 * Options that prevent git from running programs that are named in a
 * repository's settings.
 */
const SETTINGS = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "--no-pager",
  "--literal-pathspecs",
];

/**
 * Pattern for the environment variables that are passed to git. GIT_DIR and
 * GIT_INDEX_FILE, which git sets for hooks, are omitted, so that git uses the
 * repository of its working directory.
 */
const INHERITED =
  /^(?:PATH|HOME|XDG_CONFIG_HOME|USERPROFILE|SYSTEMROOT|GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|GIT_CEILING_DIRECTORIES)$/i;

/** Milliseconds after which a git process is killed. */
const TIMEOUT = 30_000;

/**
 * Runs a git command that reads objects, without a shell. Only low-level
 * commands ("plumbing") that do not run programs from the repository's settings
 * are allowed; other commands could run diff drivers, filters or signature
 * checks.
 * @param maxBytes maximum size of the output
 * @param input standard input
 * @returns standard output
 * @throws GitError with the first line of standard error
 */
export function readGit(
  folder: string,
  command: "rev-parse" | "rev-list" | "ls-tree" | "cat-file",
  args: readonly string[],
  maxBytes: number = 16 * 1024 * 1024,
  input: Buffer = Buffer.alloc(0),
): Buffer {
  const inherited = Object.entries(process.env).filter(([name]) =>
    INHERITED.test(name),
  );
  const { status, stdout, stderr, error } = spawnSync(
    "git",
    [...SETTINGS, command, ...args],
    {
      cwd: folder,
      env: {
        ...Object.fromEntries(inherited),
        GIT_ALLOW_PROTOCOL: "",
        GIT_NO_LAZY_FETCH: "1",
        GIT_TERMINAL_PROMPT: "0",
        GIT_OPTIONAL_LOCKS: "0",
        GIT_NO_REPLACE_OBJECTS: "1",
        LC_ALL: "C",
      },
      timeout: TIMEOUT,
      killSignal: "SIGKILL",
      maxBuffer: maxBytes,
      input,
      windowsHide: true,
    },
  );
  if (error !== undefined) throw new GitError(reasonOf(error, maxBytes));
  if (status === 0) return stdout;
  const [line = ""] = stderr.toString().trim().split("\n", 1);
  throw new GitError(line.slice(0, 500) || `git ${command} failed`);
}

function reasonOf(error: NodeJS.ErrnoException, maxBytes: number): string {
  if (error.code === "ENOENT") return "git is not installed, or not in PATH";
  if (error.code === "ENOBUFS")
    return `the output of git is larger than ${maxBytes} bytes`;
  if (error.code === "ETIMEDOUT") return `git took more than ${TIMEOUT} ms`;
  return error.message;
}
