import { spawn } from "node:child_process";
import {
  identifyProcess,
  type ProcessIdentity,
} from "../../platform/process.js";

/** Program and its arguments. All shell variables have been replaced. */
export interface Program {
  readonly argv: readonly string[];
  readonly folder?: string;
}

/** Result of running a command. */
export interface CommandResult {
  /**
   * Exit code; -1 if the command could not be started, was killed, or timed
   * out.
   */
  readonly code: number;
  readonly stdout: string;
  /** Standard error output; absent if the command wrote none. */
  readonly stderr?: string;
  readonly isTimedOut: boolean;
  /** Reason why the command could not be started. */
  readonly error?: string;
}

/** Options for running a command. */
interface ExecuteOptions {
  readonly cwd: string;
  /** Timeout of the command in milliseconds. */
  readonly deadline: number;
  /** Function that is called with each line of output. */
  readonly onLine?: (line: string) => void;
  /**
   * Function that is called with the id and start time of the child process,
   * before the child process executes the program.
   */
  readonly onStart?: (child: ProcessIdentity) => void;
}

/** Delay between SIGTERM and SIGKILL in milliseconds. */
const KILL_DELAY = 3000;

/** Maximum number of output characters that are stored. */
const MAX_OUTPUT = 1 << 20;

/**
 * Shell script that waits for a line on file descriptor 3 before it starts the
 * program. The parent process writes this line after it has stored the process
 * id. If the parent process is killed before that, the program never starts.
 */
const GATE = 'read -r go <&3 || exit 125; exec 3<&-; exec "$@"';

/**
 * Ids of running processes. These processes are terminated if the run is
 * interrupted.
 */
const running = new Set<number>();

/** Terminates all running commands and their child processes. */
export function terminateAll(): void {
  for (const pid of running) signalGroup(pid, "SIGTERM");
}

/**
 * Runs a command. Its arguments are not interpreted by a shell. Never rejects.
 */
export function execute(
  { argv, folder }: Program,
  options: ExecuteOptions,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", GATE, "sh", ...argv], {
      cwd: folder ?? options.cwd,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      // A new process group is created, so that a timeout also terminates child
      // processes.
      detached: true,
    });
    const lines = new LineSplitter(options.onLine);
    let stdout = "";
    let stderr = "";
    let isTimedOut = false;
    const pid = child.pid;
    const timer = setTimeout(() => {
      isTimedOut = true;
      if (pid === undefined) return;
      signalGroup(pid, "SIGTERM");
      setTimeout(() => signalGroup(pid, "SIGKILL"), KILL_DELAY).unref();
    }, options.deadline);
    const end = (code: number, error?: string): void => {
      clearTimeout(timer);
      if (pid !== undefined) running.delete(pid);
      lines.end();
      resolve({
        code: isTimedOut ? -1 : code,
        stdout,
        ...(stderr === "" ? {} : { stderr }),
        isTimedOut,
        ...(error === undefined ? {} : { error }),
      });
    };
    child.on("error", (error) => end(-1, error.message));
    child.on("close", (code) =>
      end(code ?? -1, startError(code, { argv, folder })),
    );
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      if (stdout.length < MAX_OUTPUT) stdout += text;
      lines.take(text);
    });
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      if (stderr.length < MAX_OUTPUT) stderr += text;
      lines.take(text);
    });
    if (pid === undefined) return;
    running.add(pid);
    options.onStart?.(identifyProcess(pid));
    const gate = child.stdio[3] as NodeJS.WritableStream;
    gate.on("error", () => {});
    gate.end("go\n");
  });
}

/**
 * Returns the error message if an exit code means that the program could not be
 * started.
 */
function startError(
  code: number | null,
  {
    argv: [name],
    folder,
  }: { argv: readonly string[]; folder: string | undefined },
): string | undefined {
  const program = folder === undefined ? name : `${name} in ${folder}`;
  if (code === 127) return `${program} was not found`;
  return code === 126 ? `${program} can't be run` : undefined;
}

/** Sends a signal to a process group, which includes all child processes. */
function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // The process has already ended.
  }
}

/**
 * Class that splits output into complete lines. Secrets must be masked in
 * complete lines, because a chunk of output can end within a secret.
 */
class LineSplitter {
  readonly #onLine: ((line: string) => void) | undefined;
  #rest = "";

  constructor(onLine?: (line: string) => void) {
    this.#onLine = onLine;
  }

  take(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop()!;
    for (const line of lines) this.#onLine?.(line);
  }

  end(): void {
    if (this.#rest !== "") this.#onLine?.(this.#rest);
    this.#rest = "";
  }
}
