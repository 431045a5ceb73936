import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import path from "node:path";
import { ConfigError, type Service, type ServiceContext } from "../service.js";
import { Archives } from "./archives.js";
import { readConfig, type MigrationConfig } from "./config.js";
import { removeDemo } from "./demo.js";
import { exportMigration } from "./export.js";
import { FOLDER_ID, openFolders, type Folders } from "./folders.js";
import type { MigrationContext } from "./handlers.js";
import { Locks } from "./locks.js";
import { Migrations } from "./migrations.js";
import type { Account } from "./owner.js";
import { createEndpoints } from "./server.js";
import { accountIds, claimFolder, storedSecret } from "./settings.js";
import { Worker } from "./worker.js";

export { demo } from "./demo.js";

/** Milliseconds between two searches for abandoned exports. */
const WAKE_INTERVAL = 5_000;

/** Milliseconds between two searches for expired archives. */
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
  const folders = await openShared(store, folder);
  const migrationContext = await createContext(context, config, folders);
  if (!store.isShared) await migrationContext.migrations.endLeases();
  for (const org of migrationContext.accounts.keys())
    await migrationContext.locks.reconcile(org);
  await migrationContext.archives.sweep(
    store.isShared ? UNUSED_AGE : -Infinity,
  );
  migrationContext.worker.wake();
  const timers = [
    setInterval(() => migrationContext.worker.wake(), WAKE_INTERVAL),
    setInterval(
      () => void migrationContext.archives.sweep(UNUSED_AGE).catch(() => {}),
      SWEEP_INTERVAL,
    ),
  ];
  for (const timer of timers) timer.unref();
  const endpoints = createEndpoints(migrationContext, context.log);
  return {
    ...endpoints,
    async close(grace) {
      for (const timer of timers) clearInterval(timer);
      await endpoints.close(grace);
      await migrationContext.worker.close();
      await folders.close();
      await removeDemo(config.root);
    },
  };
}

/**
 * Opens the folder of the archives.
 *
 * @throws ConfigError if other processes with the same store use another folder
 */
async function openShared(
  store: ServiceContext["store"],
  folder: string | undefined,
): Promise<Folders> {
  if (store.isShared && folder === undefined)
    throw new ConfigError(
      "",
      "A shared database requires --data with an archive folder that all processes share.",
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
  { store, now, log }: ServiceContext,
  config: MigrationConfig,
  folders: Folders,
): Promise<MigrationContext> {
  const { root, urlSeconds, exports, attempts, leaseSeconds } = config;
  const secret = config.secret ?? (await storedSecret(store));
  const lease = leaseSeconds * 1000;
  const migrations = new Migrations(store, now, randomUUID(), lease);
  const locks = new Locks(store, root, { timeout: 30_000 });
  return {
    config,
    store,
    accounts: await accountsOf(store, config),
    migrations,
    archives: new Archives({ store, folders, now, log, secret, urlSeconds }),
    locks,
    scratch: folders.work,
    worker: new Worker({
      migrations,
      log,
      exports,
      attempts,
      async run(record, signal) {
        // The marker file is missing if another process ended after storing the
        // lock and before writing the file.
        if (record.flags.lock_repositories) await locks.followAll(record);
        return exportMigration(record, config, folders, signal);
      },
    }),
  };
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
