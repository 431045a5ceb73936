import {
  page,
  type Call,
  type Problem,
  type ServerRequest,
} from "../../../generated/runtime/server/index.js";
import type { StartMigrationRequest } from "../../../generated/migration/v1/schemas.js";
import type { MigrationsService } from "../../../generated/migration/v1/server.js";
import type { Store } from "../store/store.js";
import { notFound, type Caller } from "./access.js";
import type { Archives } from "./archives.js";
import type { MigrationConfig } from "./config.js";
import { unlessRefused, type Locks } from "./locks.js";
import { MigrationWriter } from "./migration-json.js";
import { RefusedError, type Migrations } from "./migrations.js";
import { originOf } from "./origin.js";
import type { Account } from "./owner.js";
import type { MigrationRecord } from "./records.js";
import {
  listRepositories,
  lookAt,
  remember,
  type Found,
} from "./repositories.js";
import { withGitFolder } from "./git-folder.js";
import { RepositoryError } from "./repository-files.js";
import {
  flagsOf,
  namesOf,
  problem,
  refused,
  unprocessable,
} from "./request.js";
import type { Worker } from "./worker.js";

/** What the endpoints work with. */
export interface Parts {
  readonly config: MigrationConfig;
  readonly store: Store;
  /** Organizations by name in lower case. */
  readonly accounts: ReadonlyMap<string, Account>;
  readonly migrations: Migrations;
  readonly archives: Archives;
  readonly locks: Locks;
  readonly worker: Worker;
  /** Folder for what is needed for the time of one request. */
  readonly scratch: string;
}

/** The organization of a call, which its caller owns. @throws ApiError 404 for all others */
function accountOf(
  { config, accounts }: Parts,
  { params, auth }: Call<{ readonly org: string }, unknown, Caller>,
): Account {
  const org = params.org.toLowerCase();
  const isOwner = config.organizations.get(org)?.owners.has(auth.user) === true;
  const account = accounts.get(org);
  if (!isOwner || account === undefined) throw notFound();
  return account;
}

/** The seven endpoints. */
export function handlers(parts: Parts): MigrationsService<Caller> {
  const { migrations, archives, locks } = parts;
  const writer = (account: Account, request: ServerRequest): MigrationWriter =>
    new MigrationWriter(parts.store, account, originOf(parts.config, request));
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
      const account = accountOf(parts, call);
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
      const account = accountOf(parts, call);
      const record = await start(parts, account, call.body);
      const json = writer(account, call.request);
      return json.migration(record, call.body.exclude);
    },

    async getStatusForOrg(call) {
      const account = accountOf(parts, call);
      const record = await find(account, call.params.migration_id);
      return writer(account, call.request).migration(
        record,
        call.params.exclude,
      );
    },

    async downloadArchiveForOrg(call) {
      const { params, request } = call;
      const org = accountOf(parts, call).login.toLowerCase();
      const target = await archives.target(org, params.migration_id);
      if (target === undefined) throw notFound();
      return originOf(parts.config, request) + target;
    },

    async deleteArchiveForOrg(call) {
      const org = accountOf(parts, call).login.toLowerCase();
      if (!(await archives.delete(org, call.params.migration_id)))
        throw notFound();
    },

    async unlockRepoForOrg(call) {
      const { migration_id, repo_name } = call.params;
      const org = accountOf(parts, call).login.toLowerCase();
      if (!(await locks.unlock(org, migration_id, repo_name))) throw notFound();
    },

    async listReposForOrg(call) {
      const { params, request } = call;
      const account = accountOf(parts, call);
      const { repositories, kind } = await find(account, params.migration_id);
      const all = kind === "export" ? repositories : [];
      const offset = offsetOf(params);
      const names = all.slice(offset, offset + params.per_page);
      const json = writer(account, request);
      const total = all.length;
      return page(await json.repositories(names), { total });
    },
  };
}

/** Number of entries before the page. */
function offsetOf(params: {
  readonly page: number;
  readonly per_page: number;
}): number {
  return (params.page - 1) * params.per_page;
}

/** Starts an export, once everything that can be wrong with it has been looked at. */
async function start(
  { config, store, migrations, locks, worker, scratch }: Parts,
  account: Account,
  body: StartMigrationRequest,
): Promise<MigrationRecord> {
  const org = account.login.toLowerCase();
  const flags = flagsOf(body);
  const repositories = namesOf(body, account.login, config.repositories);
  const found = await findAll(config.root, org, repositories);
  await remember(store, org, await lookAtAll(found, config, scratch));
  if (flags.lock_repositories)
    await eachAccepted(found, (one) => locks.prepare(one));
  const request = { org, flags, repositories };
  const record = await migrations
    .start(request, config.unfinished)
    .catch((error: unknown) => {
      throw error instanceof RefusedError ? refused(error) : error;
    });
  if (flags.lock_repositories)
    for (const repository of found)
      await locks.follow(org, repository).catch(unlessRefused);
  worker.wake();
  return record;
}

async function findAll(
  root: string,
  org: string,
  names: readonly string[],
): Promise<Found[]> {
  if (names.length === 0) return [];
  const all = await listRepositories(root, org);
  return names.map((name) => {
    const found = all.get(name);
    if (found === undefined) throw notFound();
    return found;
  });
}

/** Repositories that are looked at together: each starts a process. */
const TOGETHER = 4;

function lookAtAll(
  found: readonly Found[],
  { gitSeconds }: MigrationConfig,
  scratch: string,
): Promise<Awaited<ReturnType<typeof lookAt>>[]> {
  const limits = { timeout: Math.min(gitSeconds, 30) * 1000 };
  return eachAccepted(found, (one) =>
    withGitFolder(one.folder, scratch, limits, (ours) =>
      lookAt(one, ours, limits),
    ),
  );
}

/**
 * Runs a function for each repository.
 *
 * @throws ApiError 422 that names each repository that can't be exported or locked
 */
async function eachAccepted<T>(
  found: readonly Found[],
  run: (found: Found) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  const problems: Problem[] = [];
  const runOne = async (one: Found, index: number): Promise<void> => {
    try {
      results[index] = await run(one);
    } catch (error) {
      if (!(error instanceof RepositoryError)) throw error;
      problems.push(problem(`repositories[${index}]`, error.message));
    }
  };
  for (let at = 0; at < found.length; at += TOGETHER) {
    const some = found.slice(at, at + TOGETHER);
    await Promise.all(some.map((one, index) => runOne(one, at + index)));
  }
  if (problems.length > 0) throw unprocessable(problems.slice(0, 100));
  return results;
}
