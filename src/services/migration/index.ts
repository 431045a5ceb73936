import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import {
  ConfigError,
  type DemoResult,
  type Service,
  type ServiceContext,
} from "../service.js";
import { sharedTime } from "../store/store.js";
import { openJobs } from "../jobs/open.js";
import { schedule } from "../jobs/schedule.js";
import { MissingPackageError } from "../../platform/optional-package.js";
import {
  folderStorage,
  s3Storage,
  type ArchiveStorage,
} from "./archive-storage.js";
import { Archives } from "./archives.js";
import { type MigrationConfig, readConfig } from "./config.js";
import { exportMigration } from "./export.js";
import { exportJob } from "./export-job.js";
import { absentFolders, jobOf } from "./jobs.js";
import { FOLDER_ID, type Folders, openFolders } from "./folders.js";
import type { Account, MigrationContext } from "./handlers.js";
import { Locks } from "./locks.js";
import { Migrations } from "./migrations.js";
import { archiveFile, type MigrationRecord, TABLES } from "./records.js";
import { deleteOldRecords } from "./retention.js";
import { createEndpoints } from "./server.js";
import { accountIds, claimFolder, storedSecret } from "./settings.js";

/**
 * Milliseconds between two searches for migrations without a job: a process can
 * end, or the database can become unavailable, after a migration was stored.
 */
const RECONCILE_INTERVAL = 15_000;

/** Milliseconds between two searches for expired archives and records. */
const SWEEP_INTERVAL = 60_000;

/**
 * Age in milliseconds after which unused files of other processes are deleted.
 */
const UNUSED_AGE = 600_000;

/**
 * Starts the migration service and continues unfinished work from earlier runs:
 * updates locks from the store, deletes temporary files and restarts exports.
 * Several processes can share a store if they also share the folder.
 *
 * @throws ConfigError if the config is invalid or the folder does not belong to
 *   the store
 */
export async function start(context: ServiceContext): Promise<Service> {
  const config = readConfig(context.config);
  await checkRoot(config);
  const { store, folder } = context;
  const folders = await openShared(store, folder, config);
  const migrationContext = await createContext(context, config, folders);
  const { jobs, migrations, archives, locks } = migrationContext;
  const time = (): Promise<number> => sharedTime(store, context.now);
  try {
    for (const org of migrationContext.accounts.keys())
      await locks.reconcile(org);
    await archives.sweep(store.isShared ? UNUSED_AGE : -Infinity);
    await reconcile(migrationContext);
  } catch (error) {
    await jobs.close();
    throw error;
  }
  const stopping = new AbortController();
  const sweep = async (): Promise<void> => {
    await archives.sweep(UNUSED_AGE);
    const { recordLifetime } = config;
    if (recordLifetime === undefined) return;
    await deleteOldRecords({
      store,
      log: context.log,
      before: (await time()) - recordLifetime,
      signal: stopping.signal,
    });
  };
  // Not jobs: they would wait for exports, and each process has its own folder
  // for temporary files. Several processes can run them at the same time.
  const schedules = [
    schedule(RECONCILE_INTERVAL, () =>
      reconcile(migrationContext).catch(() => {}),
    ),
    schedule(SWEEP_INTERVAL, () => sweep().catch(() => {})),
  ];
  const endpoints = createEndpoints(migrationContext, context.log);
  return {
    ...endpoints,
    gauges: async () => ({
      gen_exports_running: jobs.running,
      gen_exports_unfinished: await migrations.countUnfinished(),
    }),
    async close(grace) {
      stopping.abort();
      await Promise.all(schedules.map((stop) => stop()));
      await endpoints.close(grace);
      await jobs.close();
      await folders.close();
      await removeDemo(config.root);
    },
  };
}

/** Adds jobs for the unfinished migrations that have none. */
async function reconcile({
  store,
  jobs,
  migrations,
}: MigrationContext): Promise<void> {
  for (const key of await jobs.missing(await migrations.unfinished())) {
    const record = await store.get<MigrationRecord>(TABLES.migrations, key);
    if (record !== undefined) await jobs.add(jobOf(record));
  }
}

/** Checks the config of the migration service and its root folder. */
export async function check(config: unknown): Promise<void> {
  await checkRoot(readConfig(config));
}

/**
 * Opens the folder of the archives.
 *
 * @throws ConfigError if other processes with the same store use another folder
 */
async function openShared(
  store: ServiceContext["store"],
  folder: string | undefined,
  { s3 }: MigrationConfig,
): Promise<Folders> {
  // Archives in a bucket need no common folder; the folder of a process has only
  // its temporary files.
  if (s3 !== undefined) return openFolders(folder);
  if (store.isShared && folder === undefined)
    throw new ConfigError(
      "",
      "A shared database requires --data with an archive folder that all processes share, or the setting archives.s3.",
    );
  const folders = await openFolders(folder);
  if (!store.isShared) return folders;
  const claimedId = await claimFolder(store, folders.id);
  if (claimedId === folders.id) return folders;
  await folders.close();
  throw new ConfigError(
    "",
    `The folder given by --data does not contain the archives of this database. Set --data to the folder that the other processes use. If that folder was moved or lost, write ${claimedId} into ${path.join(folder!, FOLDER_ID)}.`,
  );
}

async function checkRoot({ root }: MigrationConfig): Promise<void> {
  const stats = await stat(root).catch(() => undefined);
  if (stats?.isDirectory() === true) return;
  throw new ConfigError("/root", "The value must be an existing folder.");
}

async function createContext(
  context: ServiceContext,
  config: MigrationConfig,
  folders: Folders,
): Promise<MigrationContext> {
  const { store, log } = context;
  const { root, urlSeconds } = config;
  const secret = config.secret ?? (await storedSecret(store));
  const storage = await openStorage(config, folders);
  const time = (): Promise<number> => sharedTime(store, context.now);
  const migrations = new Migrations(store, time);
  const locks = new Locks(store, root, { timeout: 30_000 });
  const run = exportJob({
    migrations,
    log,
    attempts: config.attempts,
    async run(record, signal, progress) {
      // The marker file is missing if another process ended after storing the
      // lock and before writing the file.
      if (record.flags.lock_repositories) await locks.followAll(record);
      const target = { work: folders.work, storage };
      return exportMigration(record, config, target, signal, progress);
    },
    discard: (record) => storage.remove(archiveFile(record)).catch(() => {}),
  });
  return {
    config,
    store,
    log,
    accounts: await accountsOf(store, config),
    migrations,
    archives: new Archives({
      store,
      folders,
      storage,
      time,
      log,
      secret,
      urlSeconds,
      lifetime: config.archiveLifetime,
    }),
    locks,
    scratch: folders.work,
    jobs: await openJobs(store, {
      service: "migration",
      kinds: [...config.organizations.keys()],
      absent: () => absentFolders(config),
      run,
      concurrency: config.exports,
      timeout: config.leaseSeconds * 1000,
      log,
    }),
  };
}

/** @throws ConfigError if a package of the AWS SDK is not installed */
async function openStorage(
  { s3 }: MigrationConfig,
  folders: Folders,
): Promise<ArchiveStorage> {
  if (s3 === undefined) return folderStorage(folders);
  try {
    const storage = await s3Storage(s3);
    return {
      ...storage,
      async cleanUp(names, age, now) {
        await folders.cleanUp(new Set(), age);
        // While the bucket can't be reached, unused archives remain; the next
        // search for expired archives removes them.
        await storage.cleanUp(names, age, now).catch(() => {});
      },
    };
  } catch (error) {
    if (!(error instanceof MissingPackageError)) throw error;
    throw new ConfigError("/archives/s3", error.message);
  }
}

async function accountsOf(
  store: ServiceContext["store"],
  { organizations }: MigrationConfig,
): Promise<ReadonlyMap<string, Account>> {
  const ids = await accountIds(store, [...organizations.keys()]);
  return new Map(
    [...organizations].map(([key, { login }]) => [
      key,
      { login, id: ids.get(key)! },
    ]),
  );
}

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
async function removeDemo(root: string): Promise<void> {
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
