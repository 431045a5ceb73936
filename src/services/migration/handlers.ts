// This file is longer than 400 lines because it contains one handler for each
// method of the API.
import type {
  Migration,
  Owner,
  Repository,
  StartMigrationRequest,
} from "../../../generated/migration/v1/schemas.js";
import type { MigrationsService } from "../../../generated/migration/v1/server.js";
import {
  ApiError,
  type Call,
  page,
  type Problem,
  type ServerRequest,
} from "../../../generated/runtime/server/index.js";
import { HOST_HEADER } from "../../platform/host-names.js";
import { audit, type Change } from "../audit.js";
import { addLogFields } from "../log.js";
import type { LogLine } from "../service.js";
import type { Store } from "../store/store.js";
import { type Caller, notFound } from "./access.js";
import type { Archives } from "./archives.js";
import type { MigrationConfig } from "./config.js";
import { withPrivateGitFolder } from "./git-folder.js";
import { ignoreRepositoryError, type Locks } from "./locks.js";
import { StartError } from "./migration-request.js";
import type { Jobs } from "../jobs/jobs.js";
import { jobOf } from "./jobs.js";
import type { Migrations } from "./migrations.js";
import {
  type MigrationRecord,
  nodeId,
  repositoryKey,
  type RepositoryRecord,
  TABLES,
} from "./records.js";
import {
  type BareRepository,
  listRepositories,
  readRepository,
  storeRepositories,
} from "./repositories.js";
import { RepositoryError } from "./repository-files.js";
import { listedRepositoryOf, repositoryOf } from "./repository-json.js";
import {
  flagsOf,
  namesOf,
  problem,
  startProblem,
  unprocessable,
} from "./request.js";

/** Config, stores and other objects that the handlers of the API use. */
export interface MigrationContext {
  readonly config: MigrationConfig;
  readonly store: Store;
  /** Accounts of organizations, keyed by name in lower case. */
  readonly accounts: ReadonlyMap<string, Account>;
  readonly migrations: Migrations;
  readonly archives: Archives;
  readonly locks: Locks;
  readonly jobs: Jobs;
  /** Folder for the temporary files of requests. */
  readonly scratch: string;
  readonly log: (line: LogLine) => void;
}

/**
 * Returns the organization in the path of a call. Throws a 404 unless the
 * caller is an owner of the organization.
 */
function accountOf(
  { config, accounts }: MigrationContext,
  { params, auth, request }: Call<{ readonly org: string }, unknown, Caller>,
): Account {
  const org = params.org.toLowerCase();
  addLogFields(request, { user: auth.user });
  const isOwner = config.organizations.get(org)?.owners.has(auth.user) === true;
  const account = accounts.get(org);
  if (!isOwner || account === undefined) throw notFound();
  addLogFields(request, { organization: account.login });
  return account;
}

export function handlers(context: MigrationContext): MigrationsService<Caller> {
  const { migrations, archives, locks, log } = context;
  const record = (
    action: string,
    { user }: Caller,
    target: string,
    values: Pick<Change, "before" | "after">,
  ): void =>
    audit(log, {
      service: "migration",
      action: `migration.migrations.${action}`,
      actor: user,
      target,
      ...values,
    });
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
      const started = await start(context, account, call.body);
      const { id, repositories, flags } = started;
      record("startForOrg", call.auth, `${account.login}/${id}`, {
        after: {
          repositories: repositories.length,
          locked: flags.lock_repositories,
        },
      });
      const json = writer(account, call.request);
      return json.migration(started, call.body.exclude);
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
      return new URL(target, publicOrigin(context.config, request)).href;
    },

    async deleteArchiveForOrg(call) {
      const org = accountOf(context, call).login.toLowerCase();
      const { migration_id: id } = call.params;
      if (!(await archives.delete(org, id))) throw notFound();
      record("deleteArchiveForOrg", call.auth, `${org}/${id}`, {
        before: "archive",
      });
    },

    async unlockRepoForOrg(call) {
      const { migration_id, repo_name } = call.params;
      const org = accountOf(context, call).login.toLowerCase();
      if (!(await locks.unlock(org, migration_id, repo_name))) throw notFound();
      const target = `${org}/${migration_id}/${repo_name}`;
      record("unlockRepoForOrg", call.auth, target, { before: "locked" });
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
  { config, store, migrations, locks, jobs, scratch }: MigrationContext,
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
  // If the job can't be added, the next search for missing jobs adds it.
  await jobs.add(jobOf(record)).catch(() => {});
  return record;
}

export interface Account {
  readonly login: string;
  readonly id: number;
}

/** Converts an organization to an owner as defined by the API. */
function ownerOf({ login, id }: Account, origin: string): Owner {
  const user = `${origin}/users/${login}`;
  const organization = `${origin}/orgs/${login}`;
  return {
    login,
    id,
    node_id: nodeId("Organization", id),
    url: organization,
    repos_url: `${organization}/repos`,
    events_url: `${organization}/events`,
    avatar_url: `${origin}/avatars/${id}`,
    gravatar_id: "",
    html_url: `${origin}/${login}`,
    followers_url: `${user}/followers`,
    following_url: `${user}/following{/other_user}`,
    gists_url: `${user}/gists{/gist_id}`,
    starred_url: `${user}/starred{/owner}{/repo}`,
    subscriptions_url: `${user}/subscriptions`,
    organizations_url: `${user}/orgs`,
    received_events_url: `${user}/received_events`,
    type: "Organization",
    site_admin: false,
  };
}

/**
 * Class that converts stored records to migrations and repositories as defined
 * by the API. Each request uses a new instance.
 */
class MigrationWriter {
  readonly #store: Store;
  readonly #account: Account;
  readonly #origin: string;
  /**
   * Repository records, keyed by name. They are cached because the migrations
   * in a list often contain the same repositories.
   */
  readonly #records = new Map<string, Promise<RepositoryRecord | undefined>>();

  /** @param origin origin of URLs, such as `https://api.example.com` */
  constructor(store: Store, account: Account, origin: string) {
    this.#store = store;
    this.#account = account;
    this.#origin = origin;
  }

  /**
   * Converts a migration. Repositories are included unless the request excludes
   * them.
   */
  async migration(
    record: MigrationRecord,
    exclude: readonly string[] = [],
  ): Promise<Migration> {
    const { id, guid, state, flags, repositories, kind } = record;
    const isListed = kind === "export" && !exclude.includes("repositories");
    const url = `${this.#origin}/orgs/${this.#account.login}/migrations/${id}`;
    return {
      id,
      node_id: nodeId("Migration", id),
      owner: ownerOf(this.#account, this.#origin),
      guid,
      state,
      ...flags,
      ...(isListed
        ? { repositories: await this.#convertAll(repositories, repositoryOf) }
        : {}),
      url,
      created_at: timeOf(record.createdAt),
      updated_at: timeOf(record.updatedAt),
    };
  }

  /** Converts repositories for the list endpoint. */
  repositories(names: readonly string[]): Promise<Repository[]> {
    return this.#convertAll(names, listedRepositoryOf);
  }

  async #convertAll(
    names: readonly string[],
    convert: typeof repositoryOf,
  ): Promise<Repository[]> {
    const owner = ownerOf(this.#account, this.#origin);
    const records = await Promise.all(names.map((name) => this.#record(name)));
    return records
      .filter((record) => record !== undefined)
      .map((record) => convert(record, owner, this.#origin));
  }

  #record(name: string): Promise<RepositoryRecord | undefined> {
    const pending = this.#records.get(name);
    if (pending !== undefined) return pending;
    const org = this.#account.login.toLowerCase();
    const key = repositoryKey(org, name);
    const record = this.#store.get<RepositoryRecord>(TABLES.repositories, key);
    this.#records.set(name, record);
    return record;
  }
}

/**
 * Formats a time as ISO 8601 with the offset `+00:00`, without fractional
 * seconds.
 */
function timeOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}+00:00`;
}

/**
 * Returns the repositories with the given names in an organization.
 *
 * @throws ApiError 404 if one of the repositories does not exist
 */
async function findRepositories(
  root: string,
  org: string,
  names: readonly string[],
): Promise<BareRepository[]> {
  if (names.length === 0) return [];
  const repositories = await listRepositories(root, org);
  return names.map((name) => {
    const repository = repositories.get(name);
    if (repository === undefined) throw notFound();
    return repository;
  });
}

/**
 * Maximum number of repositories that are read at the same time. A git process
 * is started for each of them.
 */
const CONCURRENCY = 4;

/** Reads the properties of repositories with git. */
function readRepositories(
  repositories: readonly BareRepository[],
  { gitSeconds }: MigrationConfig,
  scratch: string,
): Promise<Awaited<ReturnType<typeof readRepository>>[]> {
  const limits = { timeout: Math.min(gitSeconds, 30) * 1000 };
  return forEachRepository(repositories, (repository) =>
    withPrivateGitFolder(repository.folder, scratch, limits, (gitFolder) =>
      readRepository(repository, gitFolder, limits),
    ),
  );
}

/**
 * Runs a function for each repository.
 *
 * @throws ApiError 422 with a problem for each repository that can't be
 *   exported or locked
 */
async function forEachRepository<T>(
  repositories: readonly BareRepository[],
  run: (repository: BareRepository) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  const problems: Problem[] = [];
  const runOne = async (
    repository: BareRepository,
    index: number,
  ): Promise<void> => {
    try {
      results[index] = await run(repository);
    } catch (error) {
      if (!(error instanceof RepositoryError)) throw error;
      problems.push(problem(`repositories[${index}]`, error.message));
    }
  };
  for (let at = 0; at < repositories.length; at += CONCURRENCY) {
    const group = repositories.slice(at, at + CONCURRENCY);
    await Promise.all(
      group.map((repository, index) => runOne(repository, at + index)),
    );
  }
  if (problems.length > 0) throw unprocessable(problems.slice(0, 100));
  return results;
}

/**
 * Returns the origin of URLs in responses: the configured origin, otherwise the
 * origin of the request.
 *
 * @throws ApiError 400 for an invalid `Host` header
 */
function publicOrigin(
  { origin }: MigrationConfig,
  request: ServerRequest,
): string {
  if (origin !== undefined) return origin;
  // The `Host` header itself is checked, because the runtime replaces an invalid
  // host in `request.origin`.
  const host = request.header("host");
  const isInvalid = host !== undefined && !HOST_HEADER.test(host);
  if (!isInvalid && URL.canParse(request.origin)) return request.origin;
  throw new ApiError(400, "The Host header does not contain a valid host.");
}
