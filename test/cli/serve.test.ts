import { spawn, type ChildProcess } from "node:child_process";
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import net, { type AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ROOT, temporaryFolder } from "../support/paths.js";
import { gen } from "./support.js";

interface Server {
  readonly child: ChildProcess;
  readonly origin: string;
  readonly out: () => string;
  readonly err: () => string;
  readonly exit: Promise<number | NodeJS.Signals | null>;
}

/** Starts `gen serve` and waits until it listens. */
function start(...args: string[]): Promise<Server> {
  return startWith({}, ...args);
}

/** Standard error of a server under test. */
interface Streams {
  /** File descriptor. Default: a pipe. */
  readonly stderr?: number;
  /** True if the pipe is not read. */
  readonly isUnread?: boolean;
}

async function startWith(
  { stderr, isUnread = false }: Streams,
  ...args: string[]
): Promise<Server> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(
    process.execPath,
    [
      path.join(ROOT, "bin/gen.js"),
      "serve",
      "marketplace",
      "--port",
      "0",
      ...args,
    ],
    { env: { PATH, HOME }, stdio: ["ignore", "pipe", stderr ?? "pipe"] },
  );
  let out = "";
  let err = "";
  if (!isUnread)
    child.stderr?.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const exit = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once("exit", (code, signal) => resolve(code ?? signal)),
  );
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exit;
  });
  const origin = await new Promise<string>((resolve, reject) => {
    void exit.then(() => reject(new Error(err)));
    child.stdout!.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      const found = /^listening on (http:\S+)$/m.exec(out)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
  return { child, origin, out: () => out, err: () => err, exit };
}

/** Returns a file descriptor whose writes fail with ENOSPC. */
function fullDisk(): number {
  const descriptor = openSync("/dev/full", "w");
  onTestFinished(() => closeSync(descriptor));
  return descriptor;
}

describe("gen serve", () => {
  test.each([
    ["a log that nobody reads", () => ({ isUnread: true })],
    ["a full disk under the log", () => ({ stderr: fullDisk() })],
  ])("serves and ends on a signal with %s", async (_, streams) => {
    const { origin, child, exit } = await startWith(streams(), "--demo");
    const headers = { "x-request-id": "i".repeat(100) };
    for (let round = 0; round < 40; round++) {
      const responses = Array.from({ length: 50 }, async () => {
        const response = await fetch(`${origin}/none`, { headers });
        await response.arrayBuffer();
        return response.status;
      });
      expect(new Set(await Promise.all(responses))).toEqual(new Set([404]));
    }
    child.kill("SIGTERM");
    expect(await exit).toBe(0);
  });

  test.each(["SIGTERM", "SIGHUP"] as const)(
    "serves requests of open connections after %s",
    async (signal) => {
      const { origin, child, exit } = await start("--demo");
      const socket = net.connect(Number(new URL(origin).port), "127.0.0.1");
      let text = "";
      const ended = new Promise((resolve) => socket.once("close", resolve));
      socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
      const send = (): void =>
        void socket.write(
          "GET /api/items/all?api_key=test-key HTTP/1.1\r\nHost: localhost\r\n\r\n",
        );
      send();
      while (!text.includes("200 OK"))
        await new Promise((resolve) => setTimeout(resolve, 5));
      expect(text).toContain("Connection: keep-alive");
      text = "";
      child.kill(signal);
      await new Promise((resolve) => setTimeout(resolve, 200));
      send();
      await ended;
      expect(text).toContain("200 OK");
      expect(text.toLowerCase()).toContain("connection: close");
      expect(await exit).toBe(0);
    },
  );

  test("shows the demo, logs as JSON, and ends on a signal", async () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const server = await start("--demo");
      expect(server.out()).toContain(
        `curl '${server.origin}/api/items/all?api_key=test-key'`,
      );
      const answer = await fetch(
        `${server.origin}/api/items/all?api_key=test-key`,
      );
      expect(answer.status).toBe(200);
      const elsewhere = await fetch(`${server.origin}/v1/chat/completions`);
      expect(elsewhere.status).toBe(404);
      server.child.kill(signal);
      expect(await server.exit).toBe(0);
      const lines = server.err().trimEnd().split("\n");
      expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
        {
          service: "marketplace",
          method: "marketplace.items.all",
          status: 200,
        },
        { service: "host", status: 404 },
      ]);
      expect(server.err()).not.toContain("test-key");
    }
  });

  test("ends at once on a second signal", async () => {
    const server = await start("--demo");
    const { port } = new URL(server.origin);
    // A request whose body never comes keeps the server.
    const socket = net.connect(Number(port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(
      "POST /api/purchases/validation HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{",
    );
    await new Promise((resolve) => setTimeout(resolve, 200));
    server.child.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(server.child.exitCode).toBeNull();
    server.child.kill("SIGINT");
    expect(await server.exit).toBe("SIGINT");
    socket.destroy();
  });

  test("keeps what it was told, in a folder of its own", async () => {
    const data = path.join(temporaryFolder(), "data");
    const first = await start("--demo", "--data", data);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    first.child.kill("SIGKILL");
    await first.exit;
    const second = await start("--data", data);
    const answer = await fetch(
      `${second.origin}/api/items/all?api_key=test-key`,
    );
    expect(answer.status).toBe(200);
    const busy = gen(["serve", "--port", "0", "--data", data]);
    expect(busy.status).toBe(2);
    expect(busy.stderr).toContain("store-unavailable");
  });

  test("takes its settings from a file", async () => {
    const config = path.join(temporaryFolder(), "gen.yaml");
    writeFileSync(config, "marketplace:\n  requestsPerMinute: 1\n");
    const server = await start("--demo", "--config", config);
    const url = `${server.origin}/api/items/all?api_key=test-key`;
    expect([(await fetch(url)).status, (await fetch(url)).status]).toEqual([
      200, 429,
    ]);
  });
});

test("reports a port in use", async () => {
  const taken = net.createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address() as AddressInfo;
  const { status, stderr, stdout } = gen([
    "serve",
    "marketplace",
    "--port",
    String(port),
  ]);
  await new Promise((resolve) => taken.close(resolve));
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toContain(`address already in use 127.0.0.1:${port}`);
  expect(stderr).toContain("--port 0 selects a free port");
});

test.each([
  [
    ["serve", "markteplace"],
    "unknown service 'markteplace' (did you mean marketplace?)",
  ],
  [
    ["serve", "--port", "x"],
    "--port must be an integer from 0 to 65535, not 'x'",
  ],
  [["serve", "--port", "65536"], "--port must be an integer"],
  [["serve", "--config", "none.yaml"], "none.yaml: error config-syntax"],
  [["serve", "--store", "mysql://x"], "postgresql://"],
  [
    ["marketplace"],
    "'marketplace' requires a subcommand; expected one of: marketplace owner add",
  ],
  [
    ["marketplace", "key", "create", "--owner", "x"],
    "--data <dir> or --store <url> is required",
  ],
  [
    ["chat", "key", "list", "--admin", "ftp://x"],
    "--admin must be a URL such as https://admin.example.com",
  ],
  [
    ["chat", "usage", "--admin", "http://127.0.0.1:1"],
    "--admin requires a token in GEN_ADMIN_TOKEN",
  ],
  [
    ["marketplace", "key", "create", "--data", "x"],
    "'--owner <username>' is missing",
  ],
])("gen %j", (args, words) => {
  const { status, stderr } = gen(args, { cwd: temporaryFolder() });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringContaining(words),
  });
});

describe("administrators' commands", () => {
  const rows = JSON.stringify([
    {
      name: "Thing",
      description: "A thing.",
      category: "Code",
      sub_category: "Things",
      version: "1.0",
      demo_link: "https://example.com/",
      media: { thumbnail: "https://e.com/t", preview_image: "https://e.com/p" },
      price: { regular: 1, extended: 2 },
      currency: "USD",
    },
  ]);

  test("work on the folder, and through the server that has it open", async () => {
    const folder = temporaryFolder();
    const data = path.join(folder, "data");
    writeFileSync(path.join(folder, "items.json"), rows);
    const admin = (...args: string[]): ReturnType<typeof gen> =>
      gen(["marketplace", ...args, "--data", data], { cwd: folder });
    const added = admin(
      "owner",
      "add",
      "--username",
      "eve",
      "--email",
      "e@x.org",
    );
    expect(added).toMatchObject({ status: 0, stdout: "added eve\n" });
    const before = admin("key", "create", "--owner", "eve");
    expect(before.stdout).toMatch(/^mk_[\w-]{43}\n$/);

    const server = await start("--data", data);
    const items = async (key: string): Promise<number> =>
      (await fetch(`${server.origin}/api/items/all?api_key=${key.trim()}`))
        .status;
    expect(await items(before.stdout)).toBe(404);
    const imported = admin("import", "items", "items.json", "--owner", "eve");
    expect(imported).toMatchObject({ status: 0, stdout: "1 imported\n" });
    expect(await items(before.stdout)).toBe(200);
    const after = admin("key", "rotate", "--owner", "eve");
    expect(await items(before.stdout)).toBe(404);
    expect(await items(after.stdout)).toBe(200);
    const file = path.join(data, "admin.json");
    if (process.platform !== "win32")
      expect(statSync(file).mode & 0o777).toBe(0o600);
    const { token } = JSON.parse(readFileSync(file, "utf8")) as {
      token: string;
    };
    expect(server.err()).toContain('"actor":"local user');
    expect(server.err()).not.toContain(token);
    expect(server.err()).not.toContain(after.stdout.trim());

    server.child.kill("SIGTERM");
    expect(await server.exit).toBe(0);
    const revoked = admin("key", "revoke", "--owner", "eve");
    expect(revoked.stdout).toMatch(/^revoked [0-9a-f]{16}\n$/);
    expect(existsSync(file)).toBe(false);
  });

  test("tell of rows that are wrong", () => {
    const folder = temporaryFolder();
    const admin = (...args: string[]): ReturnType<typeof gen> =>
      gen(["marketplace", ...args, "--data", "data"], { cwd: folder });
    admin("owner", "add", "--username", "eve", "--email", "e@x.org");
    writeFileSync(
      path.join(folder, "bad.csv"),
      "name,price.regular\nA,\u001b[31m\n",
    );
    const { status, stdout, stderr } = admin(
      "import",
      "items",
      "bad.csv",
      "--owner",
      "eve",
    );
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("line 2, column description: is missing; add it");
    expect(stderr).not.toContain("\u001b[31m");
    writeFileSync(path.join(folder, "latin.csv"), Buffer.from([0x6e, 0xe4]));
    expect(
      admin("import", "items", "latin.csv", "--owner", "eve").stderr,
    ).toContain("the file must be UTF-8 text");
    expect(
      admin("import", "items", "none.csv", "--owner", "eve").stderr,
    ).toContain("ENOENT");
  });
});

test("SIGHUP applies a changed config, and --check-config reports a mistake", async () => {
  const file = path.join(temporaryFolder(), "gen.yaml");
  const config = (limit: string): string =>
    `marketplace:\n  requestsPerMinute: ${limit}\n`;
  writeFileSync(file, config("1"));
  const { origin, child, exit, err } = await start("--demo", "--config", file);
  const url = `${origin}/api/items/all?api_key=test-key`;
  const status = async (): Promise<number> => (await fetch(url)).status;
  expect([await status(), await status()]).toEqual([200, 429]);
  const hangup = async (event: string): Promise<void> => {
    child.kill("SIGHUP");
    while (!err().includes(event))
      await new Promise((resolve) => setTimeout(resolve, 10));
  };
  writeFileSync(file, config("none"));
  const check = ["serve", "marketplace", "--config", file, "--check-config"];
  const invalid = gen(check);
  expect(invalid.status).toBe(2);
  expect(invalid.stderr).toContain("requestsPerMinute must be an integer");
  await hangup("reload-failed");
  expect(err()).toContain("gen.yaml:2: marketplace: requestsPerMinute must be");
  expect(await status()).toBe(429);
  writeFileSync(file, config("0"));
  expect(gen(check).status).toBe(0);
  await hangup("config-reloaded");
  expect([await status(), await status()]).toEqual([200, 200]);
  child.kill("SIGTERM");
  expect(await exit).toBe(0);
});
