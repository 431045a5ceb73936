import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { DemoResult, ServiceContext } from "../service.js";

const run = promisify(execFile);

/**
 * Temporary folders with demo repositories. They are removed when the service
 * closes.
 */
const temporary = new Set<string>();

const TOKENS = [
  { token: "owner-token", user: "octocat", kind: "classic" },
  { token: "member-token", user: "hubot", kind: "classic" },
  { token: "fine-grained-token", user: "octocat", kind: "fine-grained" },
  { token: "app-token", user: "octocat", kind: "app-installation" },
];

/** Creates the organization `acme` with two repositories, unless they exist. */
export async function demo(context: ServiceContext): Promise<DemoResult> {
  const root = await demoRoot(context.folder);
  const org = path.join(root, "acme");
  await mkdir(org, { recursive: true });
  for (const name of ["alpha", "beta"]) await makeRepository(org, name);
  return {
    config: {
      root,
      organizations: [{ login: "acme", owners: ["octocat"] }],
      tokens: TOKENS,
    },
    help,
  };
}

async function demoRoot(folder: string | undefined): Promise<string> {
  if (folder !== undefined) return path.join(folder, "demo");
  const root = await mkdtemp(path.join(tmpdir(), "migration-demo-"));
  temporary.add(root);
  return root;
}

/** Removes the demo repositories if their folder is temporary. */
export async function removeDemo(root: string): Promise<void> {
  if (temporary.delete(root)) await rm(root, { recursive: true, force: true });
}

async function makeRepository(org: string, name: string): Promise<void> {
  const bare = path.join(org, `${name}.git`);
  if ((await stat(bare).catch(() => undefined)) !== undefined) return;
  const work = await mkdtemp(path.join(tmpdir(), "migration-work-"));
  try {
    await git(work, "init", "--quiet", "--initial-branch=main");
    for (const version of ["0.1.0", "0.2.0"]) {
      await writeFile(path.join(work, "README.md"), `# ${name} ${version}\n`);
      await git(work, "add", "--", "README.md");
      await git(work, "commit", "--quiet", `--message=Release ${version}`);
      await git(work, "tag", `--message=${name} ${version}`, `v${version}`);
    }
    const draft = path.join(work, "draft.git");
    await git(work, "clone", "--quiet", "--bare", "--", work, draft);
    await writeFile(path.join(draft, "description"), `The project ${name}.\n`);
    // The repository is renamed to its final name only when it is complete.
    // After an interruption, the next demo therefore creates it again.
    await rm(`${bare}.draft`, { recursive: true, force: true });
    await run("cp", ["-R", "--", draft, `${bare}.draft`]);
    await run("mv", ["--", `${bare}.draft`, bare]);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function git(work: string, ...args: readonly string[]): Promise<void> {
  const author = { NAME: "Octo Cat", EMAIL: "octocat@example.com" };
  await run("git", ["-C", work, ...args], {
    env: {
      PATH: process.env["PATH"],
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_AUTHOR_NAME: author.NAME,
      GIT_AUTHOR_EMAIL: author.EMAIL,
      GIT_COMMITTER_NAME: author.NAME,
      GIT_COMMITTER_EMAIL: author.EMAIL,
    },
  });
}

function help(origin: string): readonly string[] {
  const token = "-H 'Authorization: Bearer owner-token'";
  const migrations = `${origin}/orgs/acme/migrations`;
  return [
    `curl ${token} -H 'Content-Type: application/json' -d '{"repositories":["alpha"],"lock_repositories":true}' ${migrations}`,
    `curl ${token} ${migrations}/1`,
    `curl ${token} -L -o archive.tar.gz ${migrations}/1/archive`,
    `curl ${token} -X DELETE ${migrations}/1/repos/alpha/lock`,
  ];
}
