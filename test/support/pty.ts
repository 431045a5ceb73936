import { spawn, spawnSync } from "node:child_process";
import { expect } from "vitest";

/** Waits for text in what a program prints at a terminal, then types. */
export type Exchange = readonly [waitFor: string, type: string];

/** What a program at a terminal printed, and how it ended. */
export interface TerminalRun {
  readonly output: string;
  readonly status: number;
}

/** Python's standard library opens the pseudo-terminal; Node.js can't. */
const DRIVER = `
import json, os, pty, select, sys, time
plan = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
seen, position, end = b"", 0, time.time() + 80
while time.time() < end:
    while plan:
        at = seen.find(plan[0][0].encode(), position)
        if at < 0:
            break
        position = at + len(plan[0][0].encode())
        os.write(terminal, plan.pop(0)[1].encode())
    if not select.select([terminal], [], [], 0.2)[0]:
        continue
    try:
        part = os.read(terminal, 65536)
    except OSError:
        break
    if not part:
        break
    seen += part
else:
    os.kill(pid, 9)
status = os.waitpid(pid, 0)[1]
sys.stdout.buffer.write(seen)
code = os.waitstatus_to_exitcode(status) if hasattr(os, "waitstatus_to_exitcode") else os.WEXITSTATUS(status)
sys.exit(code if code >= 0 else 128 - code)
`;

/** Whether python3 is installed; says so if not. */
export function hasTerminal(): boolean {
  if (spawnSync("python3", ["-c", "import pty"]).status === 0) return true;
  console.info("python3 with pty is not installed; questions were not tested.");
  expect(process.env["CI"] ?? "").toBe("");
  return false;
}

/** Runs a program at a pseudo-terminal. */
export function atTerminal(
  program: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly exchanges: readonly Exchange[];
  },
): Promise<TerminalRun> {
  const { cwd, env, exchanges } = options;
  const args = ["-c", DRIVER, JSON.stringify(exchanges), ...program];
  const child = spawn("python3", args, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.on("close", (status) =>
      resolve({ output: output.replace(/\r\n/g, "\n"), status: status ?? -1 }),
    );
  });
}
