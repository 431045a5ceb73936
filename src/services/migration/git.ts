import { execFile, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

/** Error for a git process that failed. */
export class GitError extends Error {
  constructor(command: string, reason: string) {
    super(`git ${command}: ${reason}`);
    this.name = "GitError";
  }
}

export interface GitLimits {
  /** Milliseconds after which the process is killed. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
}

/** Maximum size in bytes of git's output, where it is read completely. */
const MAX_OUTPUT = 1024 * 1024;

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
  return run(args[0], argumentsFor(folder, args), environment(), limits);
}

function argumentsFor(folder: string, args: Arguments): string[] {
  return [...SETTINGS, `--git-dir=${folder}`, ...args];
}

function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], ...ENVIRONMENT };
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
  const entries = names.map((name) => [name, process.env[name]]);
  const env = { ...Object.fromEntries(entries), LC_ALL: "C" };
  return run(args[0], allArgs, env, limits);
}

/** Maximum size in bytes of a line that git prints. */
const MAX_LINE = 64 * 1024;

/**
 * Runs git, as {@link git} does, and yields the lines of its output as they
 * arrive.
 *
 * @throws GitError if git fails or prints a line of more than 64 KiB
 */
export async function* gitRecords(
  folder: string,
  args: Arguments,
  limits: GitLimits,
): AsyncGenerator<string> {
  const child = start(folder, args, limits);
  let rest = "";
  try {
    for await (const chunk of child.stdout.setEncoding("utf8")) {
      const lines = (rest + (chunk as string)).split("\n");
      rest = lines.pop()!;
      if (rest.length > MAX_LINE)
        throw new GitError(args[0], `a line has more than ${MAX_LINE} bytes`);
      yield* lines;
    }
    await child.ended;
  } finally {
    child.kill();
  }
}

/** Reader of the objects of a Git directory. */
export interface GitObjects {
  /**
   * Returns a commit or tag as text; undefined if it is larger than the limit or
   * another object.
   *
   * @throws GitError if git can't read the object
   */
  read(oid: string): Promise<string | undefined>;
  /** Ends the processes of git. */
  close(): void;
}

/**
 * Starts processes of git that read objects. The size of an object is known
 * before its content is read, so large objects are never in memory.
 */
export function gitObjects(
  folder: string,
  maxSize: number,
  limits: GitLimits,
): GitObjects {
  const sizes = interactive(folder, ["cat-file", "--batch-check"], limits);
  const contents = interactive(folder, ["cat-file", "--batch"], limits);
  return {
    async read(oid) {
      const [, kind, size] = (await sizes.ask(oid)).split(" ");
      if (size === undefined)
        throw new GitError("cat-file", `the object ${oid} is ${kind}`);
      if (!/^(commit|tag)$/.test(kind!) || Number(size) > maxSize)
        return undefined;
      await contents.ask(oid);
      // A line feed follows the content.
      return (await contents.bytes(Number(size) + 1)).toString(
        "utf8",
        0,
        Number(size),
      );
    },
    close() {
      sizes.close();
      contents.close();
    },
  };
}

/** Process of git that responds to requests, one line each. */
function interactive(folder: string, args: Arguments, limits: GitLimits) {
  const child = start(folder, args, limits);
  const chunks = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let buffer = Buffer.alloc(0);
  const more = async (): Promise<void> => {
    const { done, value } = await chunks.next();
    if (done === true) {
      await child.ended;
      throw new GitError(args[0], "ended before its output was complete");
    }
    buffer = Buffer.concat([buffer, value]);
  };
  const bytes = async (count: number): Promise<Buffer> => {
    while (buffer.length < count) await more();
    const taken = buffer.subarray(0, count);
    buffer = buffer.subarray(count);
    return taken;
  };
  return {
    bytes,
    /** Sends a line and returns the first line of the response. */
    async ask(line: string): Promise<string> {
      child.stdin.write(`${line}\n`);
      let end: number;
      while ((end = buffer.indexOf("\n")) < 0) await more();
      return (await bytes(end + 1)).toString("utf8", 0, end);
    },
    close: () => child.kill(),
  };
}

/**
 * Starts git with pipes. `ended` is rejected with a GitError if git fails.
 */
function start(
  folder: string,
  args: Arguments,
  { timeout, signal }: GitLimits,
): {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly ended: Promise<void>;
  readonly kill: () => void;
} {
  const child = spawn("git", argumentsFor(folder, args), {
    env: environment(),
    stdio: ["pipe", "pipe", "pipe"],
    timeout,
    killSignal: "SIGKILL",
    ...(signal === undefined ? {} : { signal }),
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (errors.length < MAX_LINE) errors += text;
  });
  // A write to a process that has ended fails; `ended` reports why it ended.
  child.stdin.on("error", () => {});
  const ended = new Promise<void>((resolve, reject) => {
    child.once("error", (error) =>
      reject(new GitError(args[0], error.message)),
    );
    child.once("close", (code, killed) => {
      if (code === 0) return resolve();
      const firstLine = errors.trim().split("\n", 1)[0];
      const reason =
        killed === null ? firstLine : `took more than ${timeout} ms`;
      reject(
        new GitError(args[0], (reason || `exit code ${code}`).slice(0, 500)),
      );
    });
  });
  ended.catch(() => {});
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    ended,
    kill: () => void child.kill("SIGKILL"),
  };
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
