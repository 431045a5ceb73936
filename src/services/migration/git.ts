import { execFile } from "node:child_process";

/** A process of git that did not do what was asked. */
export class GitError extends Error {
  constructor(command: string, why: string) {
    super(`git ${command}: ${why}`);
    this.name = "GitError";
  }
}

/** What bounds a process of git. */
export interface GitLimits {
  /** Milliseconds after which it is killed. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** Bytes of output that are kept: lists of references can be long. */
const OUTPUT = 256 * 1024 * 1024;

/**
 * Nothing of the machine's or user's settings, no questions, no hooks, and no
 * access to other repositories; whoever owns the folder.
 */
const SETTINGS = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "safe.directory=*",
  "gc.auto=0",
].flatMap((setting) => ["-c", setting]);

const ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ALLOW_PROTOCOL: "",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
  LC_ALL: "C",
};

type Arguments = readonly [command: string, ...string[]];

/**
 * Runs git on a git folder of the service's own; no shell is involved.
 *
 * @returns what it wrote to standard output
 * @throws GitError with the first line of what git said
 */
export function git(
  folder: string,
  args: Arguments,
  limits: GitLimits,
): Promise<string> {
  const all = [...SETTINGS, `--git-dir=${folder}`, ...args];
  const env = { PATH: process.env["PATH"], ...ENVIRONMENT };
  return run(args[0], all, env, limits);
}

/**
 * Runs git on a repository with all settings, as a push of the service's user would. Only
 * for commands that read settings and nothing else: others could run what a repository's
 * settings say.
 */
export function gitAsUser(
  repository: string,
  args: Arguments,
  limits: GitLimits,
): Promise<string> {
  const all = ["-c", "safe.directory=*", `--git-dir=${repository}`, ...args];
  const names = Object.keys(process.env).filter((name) =>
    /^(?:PATH|HOME|XDG_CONFIG_HOME|GIT_CONFIG\w*)$/.test(name),
  );
  const own = names.map((name) => [name, process.env[name]]);
  const env = { ...Object.fromEntries(own), LC_ALL: "C" };
  return run(args[0], all, env, limits);
}

function run(
  command: string,
  all: readonly string[],
  env: NodeJS.ProcessEnv,
  { timeout, signal }: GitLimits,
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      "git",
      all,
      {
        env,
        timeout,
        killSignal: "SIGKILL",
        maxBuffer: OUTPUT,
        ...(signal === undefined ? {} : { signal }),
      },
      (error, stdout, stderr) => {
        if (error === null) return resolve(stdout);
        const isLate = error.killed === true && signal?.aborted !== true;
        const said = stderr.trim().split("\n", 1)[0];
        const why = isLate ? `took more than ${timeout} ms` : said;
        reject(new GitError(command, (why || error.message).slice(0, 500)));
      },
    );
  });
}
