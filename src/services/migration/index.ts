import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import path from "node:path";
import { ConfigError, type Service, type ServiceContext } from "../service.js";
import { Archives } from "./archives.js";
import { readConfig, type MigrationConfig } from "./config.js";
import { removeDemo } from "./demo.js";
import { exportMigration } from "./export.js";
import { FOLDER_ID, openFolders, type Folders } from "./folders.js";
import type { Parts } from "./handlers.js";
import { Locks } from "./locks.js";
import { Migrations } from "./migrations.js";
import type { Account } from "./owner.js";
import { createAnswers } from "./server.js";
import { accountIds, claimFolder, storedSecret } from "./settings.js";
import { Worker } from "./worker.js";

export { demo } from "./demo.js";

/** Milliseconds between looks for exports that were left, and for archives that are over. */
const LOOK = 5_000;
const SWEEP = 60_000;

/** Milliseconds after which files of another process that shares the folder are not needed. */
const OLD = 600_000;

/**
 * Starts the migration service. What a run before left undone is taken up:
 * locks follow the store, drafts go, exports run again. Several processes may share a
 * store if they share the folder.
 *
 * @throws ConfigError where the config is wrong, or the folder is not that of the store
 */
export async function start(context: ServiceContext): Promise<Service> {
  const config = readConfig(context.config);
  await checkRoot(config);
  const { store, folder } = context;
  const folders = await openShared(store, folder);
  const parts = await assemble(context, config, folders);
  if (!store.isShared) await parts.migrations.endLeases();
  for (const org of parts.accounts.keys()) await parts.locks.reconcile(org);
  await parts.archives.sweep(store.isShared ? OLD : -Infinity);
  parts.worker.wake();
  const timers = [
    setInterval(() => parts.worker.wake(), LOOK),
    setInterval(() => void parts.archives.sweep(OLD).catch(() => {}), SWEEP),
  ];
  for (const timer of timers) timer.unref();
  const answers = createAnswers(parts, context.log);
  return {
    ...answers,
    async close(grace) {
      for (const timer of timers) clearInterval(timer);
      await answers.close(grace);
      await parts.worker.close();
      await folders.close();
      await removeDemo(config.root);
    },
  };
}

/**
 * Opens the folder of the archives.
 *
 * @throws ConfigError where other processes that share the store have another folder
 */
async function openShared(
  store: ServiceContext["store"],
  folder: string | undefined,
): Promise<Folders> {
  if (store.isShared && folder === undefined)
    throw new ConfigError(
      "",
      "A shared database needs --data, a folder that all processes share: archives are stored there.",
    );
  const folders = await openFolders(folder);
  if (!store.isShared) return folders;
  const known = await claimFolder(store, folders.id);
  if (known === folders.id) return folders;
  await folders.close();
  throw new ConfigError(
    "",
    `The archives of this database are in another folder. Start the service with the folder of the other processes (--data). If that folder was moved, or is lost, write ${known} into ${path.join(folder!, FOLDER_ID)}.`,
  );
}

async function checkRoot({ root }: MigrationConfig): Promise<void> {
  const found = await stat(root).catch(() => undefined);
  if (found?.isDirectory() === true) return;
  throw new ConfigError("/root", "There is no such folder.");
}

async function assemble(
  { store, now, log }: ServiceContext,
  config: MigrationConfig,
  folders: Folders,
): Promise<Parts> {
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
        // Another process may have ended between the lock in the store and the marker.
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
