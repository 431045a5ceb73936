import { spawn } from "node:child_process";
import { identifyProcess } from "../../platform/process.js";

/** Program with its arguments, as a process takes them. */
export interface Program {
  readonly argv: readonly string[];
  readonly folder?: string;
}

/** How a command ended. */
export interface Ended {
  /** Exit code; -1 for one that could not be started, was killed, or took too long. */
  readonly code: number;
  readonly stdout: string;
  /** Absent where nothing was printed. */
  readonly stderr?: string;
  readonly isLate: boolean;
  /** Why it could not be started. */
  readonly error?: string;
}

/** How a command is run. */
export interface ExecOptions {
  readonly cwd: string;
  /** Milliseconds. */
  readonly deadline: number;
  /** Gets output line by line; absent where nobody wants to see it. */
  readonly onLine?: (line: string) => void;
  /** Gets the process before it does anything. */
  readonly onStart?: (child: { pid: number; started: string }) => void;
}

/** Milliseconds between asking a process to end and ending it. */
const GRACE = 3000;

/** More output than this is not kept. */
const MOST_OUTPUT = 1 << 20;

/**
 * Begins only when the word comes on descriptor 3: a run that is killed before
 * it could note the process leaves none that does something.
 */
const GATE = 'read -r go <&3 || exit 125; exec 3<&-; exec "$@"';

/** Processes that run now, so that an interrupted run can end them. */
const running = new Set<number>();

/** Ends all processes that run now, with theirs. */
export function endAll(): void {
  for (const pid of running) signal(pid, "SIGTERM");
}

/** Runs a command without a shell's reading of its words. Never rejects. */
export function execute(
  { argv, folder }: Program,
  options: ExecOptions,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", GATE, "sh", ...argv], {
      cwd: folder ?? options.cwd,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      // A group of its own: a deadline ends what the command started, too.
      detached: true,
    });
    const lines = new LineReader(options.onLine);
    let stdout = "";
    let stderr = "";
    let isLate = false;
    const pid = child.pid;
    const timer = setTimeout(() => {
      isLate = true;
      if (pid === undefined) return;
      signal(pid, "SIGTERM");
      setTimeout(() => signal(pid, "SIGKILL"), GRACE).unref();
    }, options.deadline);
    const end = (code: number, error?: string): void => {
      clearTimeout(timer);
      if (pid !== undefined) running.delete(pid);
      lines.end();
      resolve({
        code: isLate ? -1 : code,
        stdout,
        ...(stderr === "" ? {} : { stderr }),
        isLate,
        ...(error === undefined ? {} : { error }),
      });
    };
    child.on("error", (error) => end(-1, error.message));
    child.on("close", (code) =>
      end(code ?? -1, startError(code, { argv, folder })),
    );
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      if (stdout.length < MOST_OUTPUT) stdout += text;
      lines.take(text);
    });
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      if (stderr.length < MOST_OUTPUT) stderr += text;
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

/** What a shell means by these codes. */
function startError(
  code: number | null,
  {
    argv: [name],
    folder,
  }: { argv: readonly string[]; folder: string | undefined },
): string | undefined {
  const program = folder === undefined ? name : `${name} in ${folder}`;
  if (code === 127) return `${program} is not found`;
  return code === 126 ? `${program} can't be run` : undefined;
}

/** To the group, as the command may have started others. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // It ended meanwhile.
  }
}

/** Cuts output into lines: a secret must not hide between two pieces. */
class LineReader {
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
