import { execFile } from "node:child_process";

/** Error for a git process that failed. */
export class GitError extends Error {
  constructor(command: string, reason: string) {
    super(`git ${command}: ${reason}`);
    this.name = "GitError";
  }
}

/** Limits of a git process. */
export interface GitLimits {
  /** Milliseconds after which the process is killed. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Maximum size of git's output in bytes. It is large because lists of
 * references can be long.
 */
const MAX_OUTPUT = 256 * 1024 * 1024;

/**
 * Command-line options of git. Together with ENVIRONMENT, they disable system and
 * user settings, prompts, hooks, access to other repositories, and git's check
 * of the folder's owner.
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
 * Runs git, without a shell, in a Git directory that the service created.
 *
 * @returns standard output
 * @throws GitError with the first line of standard error
 */
export function git(
  folder: string,
  args: Arguments,
  limits: GitLimits,
): Promise<string> {
  const allArgs = [...SETTINGS, `--git-dir=${folder}`, ...args];
  const env = { PATH: process.env["PATH"], ...ENVIRONMENT };
  return run(args[0], allArgs, env, limits);
}

/**
 * Runs git on a repository with the settings of the repository, the user and
 * the system. These settings also apply to a push by the user of the service.
 * Only git commands that read settings are allowed, because other commands
 * could run programs that are named in the settings.
 */
export function gitAsUser(
  repository: string,
  args: Arguments,
  limits: GitLimits,
): Promise<string> {
  const allArgs = [
    "-c",
    "safe.directory=*",
    `--git-dir=${repository}`,
    ...args,
  ];
  const names = Object.keys(process.env).filter((name) =>
    /^(?:PATH|HOME|XDG_CONFIG_HOME|GIT_CONFIG\w*)$/.test(name),
  );
  const environment = names.map((name) => [name, process.env[name]]);
  const env = { ...Object.fromEntries(environment), LC_ALL: "C" };
  return run(args[0], allArgs, env, limits);
}

function run(
  command: string,
  allArgs: readonly string[],
  env: NodeJS.ProcessEnv,
  { timeout, signal }: GitLimits,
): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      "git",
      allArgs,
      {
        env,
        timeout,
        killSignal: "SIGKILL",
        maxBuffer: MAX_OUTPUT,
        ...(signal === undefined ? {} : { signal }),
      },
      (error, stdout, stderr) => {
        if (error === null) return resolve(stdout);
        const isTimeout = error.killed === true && signal?.aborted !== true;
        const firstLine = stderr.trim().split("\n", 1)[0];
        const reason = isTimeout ? `took more than ${timeout} ms` : firstLine;
        reject(new GitError(command, (reason || error.message).slice(0, 500)));
      },
    );
  });
}
