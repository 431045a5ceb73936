import { stat } from "node:fs/promises";
import { ConfigError, type Service, type ServiceContext } from "../service.js";
import { Archives } from "./archives.js";
import { readConfig, type MigrationConfig } from "./config.js";
import { removeDemo } from "./demo.js";
import { exportMigration } from "./export.js";
import { openFolders, type Folders } from "./folders.js";
import type { Parts } from "./handlers.js";
import { Locks } from "./locks.js";
import { Migrations } from "./migrations.js";
import type { Account } from "./owner.js";
import { idKey, TABLES } from "./records.js";
import { createAnswers } from "./server.js";
import { accountIds, storedSecret } from "./settings.js";
import { Worker } from "./worker.js";

export { demo } from "./demo.js";

/** Milliseconds between looks for archives that are over and work that was left. */
const TICK = 60_000;

/**
 * Starts the migration service. What a run before left undone is taken up:
 * locks follow the store, drafts go, exports run again.
 *
 * @throws ConfigError where the config is wrong
 */
export async function start(context: ServiceContext): Promise<Service> {
  const config = readConfig(context.config);
  await checkRoot(config);
  const { store, folder } = context;
  const folders = await openFolders(
    folder,
    async (id) => (await store.get(TABLES.archives, idKey(id))) !== undefined,
  );
  const parts = await assemble(context, config, folders);
  for (const org of parts.accounts.keys()) await parts.locks.reconcile(org);
  const tend = async (): Promise<void> => {
    parts.worker.wake();
    await parts.archives.sweep();
  };
  await tend();
  const timer = setInterval(() => void tend().catch(() => {}), TICK);
  timer.unref();
  const answers = createAnswers(parts, context.log);
  return {
    ...answers,
    async close() {
      clearInterval(timer);
      await answers.close();
      await parts.worker.close();
      await folders.close();
      await removeDemo(config.root);
    },
  };
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
  const { root, urlSeconds, exports, attempts } = config;
  const secret = config.secret ?? (await storedSecret(store));
  const migrations = new Migrations(store, now);
  return {
    config,
    store,
    accounts: await accountsOf(store, config),
    migrations,
    archives: new Archives({ store, folders, now, log, secret, urlSeconds }),
    locks: new Locks(store, root, { timeout: 30_000 }),
    worker: new Worker({
      migrations,
      log,
      exports,
      attempts,
      run: (record, signal) => exportMigration(record, config, folders, signal),
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
