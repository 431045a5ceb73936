import {
  page,
  type Call,
  type ServerRequest,
} from "../../../generated/runtime/server/index.js";
import type { StartMigrationRequest } from "../../../generated/migration/v1/schemas.js";
import type { MigrationsService } from "../../../generated/migration/v1/server.js";
import type { Store } from "../store/store.js";
import { notFound, type Caller } from "./access.js";
import type { Archives } from "./archives.js";
import type { MigrationConfig } from "./config.js";
import { ignoreRepositoryError, type Locks } from "./locks.js";
import { MigrationWriter } from "./migration-json.js";
import { StartError } from "./migration-request.js";
import type { Migrations } from "./migrations.js";
import { publicOrigin } from "./origin.js";
import type { Account } from "./owner.js";
import type { MigrationRecord } from "./records.js";
import { storeRepositories } from "./repositories.js";
import { flagsOf, namesOf, startProblem } from "./request.js";
import {
  findRepositories,
  forEachRepository,
  readRepositories,
} from "./requested-repositories.js";
import type { Worker } from "./worker.js";

/** Config, stores and other objects that the handlers of the API use. */
export interface MigrationContext {
  readonly config: MigrationConfig;
  readonly store: Store;
  /** Accounts of organizations, keyed by name in lower case. */
  readonly accounts: ReadonlyMap<string, Account>;
  readonly migrations: Migrations;
  readonly archives: Archives;
  readonly locks: Locks;
  readonly worker: Worker;
  /** Folder for the temporary files of requests. */
  readonly scratch: string;
}

/**
 * Returns the organization in the path of a call. Throws a 404 unless the
 * caller is an owner of the organization.
 */
function accountOf(
  { config, accounts }: MigrationContext,
  { params, auth }: Call<{ readonly org: string }, unknown, Caller>,
): Account {
  const org = params.org.toLowerCase();
  const isOwner = config.organizations.get(org)?.owners.has(auth.user) === true;
  const account = accounts.get(org);
  if (!isOwner || account === undefined) throw notFound();
  return account;
}

/** Returns the handlers of the API. */
export function handlers(context: MigrationContext): MigrationsService<Caller> {
  const { migrations, archives, locks } = context;
  const writer = (account: Account, request: ServerRequest): MigrationWriter =>
    new MigrationWriter(
      context.store,
      account,
      publicOrigin(context.config, request),
    );
  const find = async (
    { login }: Account,
    id: number,
  ): Promise<MigrationRecord> => {
    const record = await migrations.find(login.toLowerCase(), id);
    if (record === undefined) throw notFound();
    return record;
  };
  return {
    async listForOrg(call) {
      const { params, request } = call;
      const account = accountOf(context, call);
      const org = account.login.toLowerCase();
      const offset = offsetOf(params);
      const { rows, total } = await migrations.page(
        org,
        offset,
        params.per_page,
      );
      const json = writer(account, request);
      const list = rows.map((row) => json.migration(row, params.exclude));
      return page(await Promise.all(list), { total });
    },

    async startForOrg(call) {
      const account = accountOf(context, call);
      const record = await start(context, account, call.body);
      const json = writer(account, call.request);
      return json.migration(record, call.body.exclude);
    },

    async getStatusForOrg(call) {
      const account = accountOf(context, call);
      const record = await find(account, call.params.migration_id);
      return writer(account, call.request).migration(
        record,
        call.params.exclude,
      );
    },

    async downloadArchiveForOrg(call) {
      const { params, request } = call;
      const org = accountOf(context, call).login.toLowerCase();
      const target = await archives.target(org, params.migration_id);
      if (target === undefined) throw notFound();
      return publicOrigin(context.config, request) + target;
    },

    async deleteArchiveForOrg(call) {
      const org = accountOf(context, call).login.toLowerCase();
      if (!(await archives.delete(org, call.params.migration_id)))
        throw notFound();
    },

    async unlockRepoForOrg(call) {
      const { migration_id, repo_name } = call.params;
      const org = accountOf(context, call).login.toLowerCase();
      if (!(await locks.unlock(org, migration_id, repo_name))) throw notFound();
    },

    async listReposForOrg(call) {
      const { params, request } = call;
      const account = accountOf(context, call);
      const { repositories, kind } = await find(account, params.migration_id);
      const allNames = kind === "export" ? repositories : [];
      const offset = offsetOf(params);
      const names = allNames.slice(offset, offset + params.per_page);
      const json = writer(account, request);
      const total = allNames.length;
      return page(await json.repositories(names), { total });
    },
  };
}

/** Returns the number of entries on the pages before the requested page. */
function offsetOf(params: {
  readonly page: number;
  readonly per_page: number;
}): number {
  return (params.page - 1) * params.per_page;
}

/** Checks a request and its repositories, and starts the export. */
async function start(
  { config, store, migrations, locks, worker, scratch }: MigrationContext,
  account: Account,
  body: StartMigrationRequest,
): Promise<MigrationRecord> {
  const org = account.login.toLowerCase();
  const flags = flagsOf(body);
  const names = namesOf(body, account.login, config.repositories);
  const repositories = await findRepositories(config.root, org, names);
  await storeRepositories(
    store,
    org,
    await readRepositories(repositories, config, scratch),
  );
  if (flags.lock_repositories)
    await forEachRepository(repositories, (repository) =>
      locks.prepare(repository),
    );
  const request = { org, flags, repositories: names };
  const record = await migrations
    .start(request, config.unfinished)
    .catch((error: unknown) => {
      throw error instanceof StartError ? startProblem(error) : error;
    });
  if (flags.lock_repositories)
    for (const repository of repositories)
      await locks.follow(org, repository).catch(ignoreRepositoryError);
  worker.wake();
  return record;
}
