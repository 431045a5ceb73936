import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect } from "vitest";
import {
  createMigration,
  isApiError,
} from "../../../generated/migration/v1/index.js";
import {
  validateMigration,
  validateOwner,
  validateRepository,
  validateStartMigrationRequest,
} from "../../../generated/migration/v1/validators.js";
import {
  migrationKey,
  TABLES,
} from "../../../src/services/migration/records.js";
import { ROOT } from "../../support/paths.js";
import {
  call,
  download,
  ended,
  git,
  makeRepository,
  migrate,
  serve,
  temporary,
  TOKENS,
  unpack,
  verifyBundle,
  type Answer,
} from "../../services/migration-support.js";
import { acceptance, type Statement } from "../acceptance.js";
import type { Draft } from "../format/library.js";
import { memberStatements, type Member } from "../services.js";

const { folder: root, remove } = temporary();
for (const name of ["alpha", "beta", "gamma"])
  makeRepository(root, "acme", name);
const host = await serve(root, undefined);
afterAll(async () => {
  await host.close();
  remove();
});

const BASE = "/orgs/acme/migrations";
const DAY = 86_400_000;
/** Targets of requests that succeed only once, until they have succeeded. */
const prepared = new Map<string, string>();
const send = async (
  verb: string,
  target: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const received = await call(host, verb, target, body, {
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...headers,
  });
  if (received.status === 204) prepared.clear();
  return received;
};
/** Returns the target that `make` prepares, again until it has been used. */
async function once(
  name: string,
  make: () => Promise<string>,
): Promise<string> {
  const target = prepared.get(name) ?? (await make());
  prepared.set(name, target);
  return target;
}
const start = (body: object): Promise<Answer> => send("POST", BASE, body);

const exported = await migrate(host, { repositories: ["alpha", "beta"] });
const listed = await send("GET", `${BASE}/${exported.id}/repositories`);
const [first] = listed.json;
const spec: Draft = JSON.parse(
  readFileSync(path.join(ROOT, "specs/migration.v1.json"), "utf8"),
);
const { methods } = spec.resources.migrations;
const { migrations } = createMigration({
  rootUrl: `${host.origin}/`,
  auth: () => TOKENS.owner,
});

const WHOLE = { mode: "response", unknownFields: "reject" } as const;

const migrationStatements: readonly Statement[] = [
  ...memberStatements(
    {
      prefix: "migration/migration",
      name: "a migration",
      validate: (value) => validateMigration(value, WHOLE),
      value: () => exported,
    },
    [
      { path: "id", type: "integer" },
      { path: "node_id", type: "string" },
      { path: "owner", type: "object" },
      { path: "guid", type: "string" },
      { path: "state", type: "string" },
      { path: "lock_repositories", type: "boolean" },
      { path: "exclude_attachments", type: "boolean" },
      { path: "exclude_releases", type: "boolean" },
      { path: "exclude_owner_projects", type: "boolean" },
      { path: "repositories", type: "array of objects" },
      { path: "url", type: "URL" },
      { path: "created_at", type: "timestamp" },
      { path: "updated_at", type: "timestamp" },
    ],
  ),
  {
    id: "migration/migration/guid/uuid",
    statement: "The GUID is a UUID.",
    check: () =>
      expect(exported.guid).toMatch(
        /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
      ),
  },
  ...(["created_at", "updated_at"] as const).map((name) => ({
    id: `migration/migration/${name}/offset`,
    statement: `\`${name}\` of a migration has an offset.`,
    check: () => expect(exported[name]).toMatch(/[+-]\d\d:\d\d$/),
  })),
  {
    id: "migration/migration/url/self",
    statement: "The URL of a migration leads to the migration.",
    check: async () => {
      const { pathname } = new URL(exported.url);
      expect((await send("GET", pathname)).json.id).toBe(exported.id);
    },
  },
];

const URLS = [
  "url",
  "repos_url",
  "events_url",
  "avatar_url",
  "html_url",
  "followers_url",
  "following_url",
  "gists_url",
  "starred_url",
  "subscriptions_url",
  "organizations_url",
  "received_events_url",
] as const;
const ownerMembers: readonly Member[] = [
  { path: "login", type: "string" },
  { path: "id", type: "integer" },
  { path: "node_id", type: "string" },
  ...URLS.map((name) => ({ path: name, type: "URL" as const })),
  { path: "gravatar_id", type: "string", nullable: true },
  { path: "type", type: "string" },
  { path: "site_admin", type: "boolean" },
];
const ownerStatements: readonly Statement[] = [
  ...memberStatements(
    {
      prefix: "migration/owner",
      name: "the owner of a migration",
      validate: (value) => validateOwner(value, WHOLE),
      value: () => exported.owner,
    },
    ownerMembers,
  ),
];

const LINKS =
  "html_url url archive_url assignees_url blobs_url branches_url collaborators_url comments_url commits_url compare_url contents_url contributors_url deployments_url downloads_url events_url forks_url git_commits_url git_refs_url git_tags_url git_url issue_comment_url issue_events_url issues_url keys_url labels_url languages_url merges_url milestones_url notifications_url pulls_url releases_url ssh_url stargazers_url statuses_url subscribers_url subscription_url tags_url teams_url trees_url clone_url mirror_url hooks_url svn_url".split(
    " ",
  );
const COUNTERS =
  "forks_count stargazers_count watchers_count size open_issues_count subscribers_count network_count forks open_issues watchers".split(
    " ",
  );
const FLAGS =
  "is_template has_issues has_projects has_wiki has_pages has_downloads has_discussions archived disabled allow_rebase_merge allow_squash_merge allow_auto_merge delete_branch_on_merge allow_merge_commit".split(
    " ",
  );
const FEATURES = [
  "advanced_security",
  "secret_scanning",
  "secret_scanning_push_protection",
  "secret_scanning_non_provider_patterns",
];
const repositoryMembers: readonly Member[] = [
  { path: "id", type: "integer" },
  { path: "node_id", type: "string" },
  { path: "name", type: "string" },
  { path: "full_name", type: "string" },
  { path: "owner", type: "object" },
  { path: "private", type: "boolean" },
  { path: "fork", type: "boolean" },
  { path: "description", type: "string", nullable: true },
  { path: "visibility", type: "string" },
  { path: "topics", type: "array of strings" },
  { path: "language", type: "string", nullable: true },
  { path: "homepage", type: "string", nullable: true },
  ...LINKS.map((name) => ({
    path: name,
    type: /ssh_url/.test(name) ? ("string" as const) : ("URL" as const),
    nullable: name === "mirror_url",
  })),
  ...COUNTERS.map((name) => ({ path: name, type: "integer" as const })),
  ...FLAGS.map((name) => ({ path: name, type: "boolean" as const })),
  { path: "default_branch", type: "string" },
  { path: "pushed_at", type: "UTC timestamp", nullable: true },
  { path: "created_at", type: "UTC timestamp", nullable: true },
  { path: "updated_at", type: "UTC timestamp", nullable: true },
  { path: "permissions", type: "object" },
  { path: "permissions.admin", type: "boolean" },
  { path: "permissions.push", type: "boolean" },
  { path: "permissions.pull", type: "boolean" },
  { path: "template_repository", type: "object", nullable: true },
  { path: "temp_clone_token", type: "string" },
  { path: "security_and_analysis", type: "object" },
  ...FEATURES.flatMap((name) => [
    { path: `security_and_analysis.${name}`, type: "object" as const },
    { path: `security_and_analysis.${name}.status`, type: "string" as const },
  ]),
];
const LICENSE = {
  key: "mit",
  name: "MIT License",
  url: "https://x.test/licenses/mit",
  spdx_id: "MIT",
  node_id: "n",
  html_url: "https://x.test/mit",
};
const repositoryStatements: readonly Statement[] = [
  ...memberStatements(
    {
      prefix: "migration/repository",
      name: "a repository",
      validate: (value) => validateRepository(value, WHOLE),
      value: () => first,
    },
    repositoryMembers,
  ),
  ...memberStatements(
    {
      prefix: "migration/repository-owner",
      name: "the owner of a repository",
      validate: (value) => validateOwner(value, WHOLE),
      value: () => first.owner,
    },
    ownerMembers,
  ),
  ...Object.keys(LICENSE).map((name) => ({
    id: `migration/repository/license/${name}`,
    statement: `The license of a repository may have \`${name}\`, a text.`,
    check: () => {
      const of = (license: object): boolean =>
        validateRepository({ ...first, license }, WHOLE).valid;
      expect(of(LICENSE)).toBe(true);
      expect(of({ ...LICENSE, [name]: 1 })).toBe(false);
    },
  })),
  ...FEATURES.map((name) => ({
    id: `migration/repository/security_and_analysis/${name}-values`,
    statement: `The status of \`${name}\` is \`enabled\` or \`disabled\`.`,
    check: () => {
      const of = (status: string): boolean =>
        validateRepository(
          { ...first, security_and_analysis: { [name]: { status } } },
          WHOLE,
        ).valid;
      expect(["enabled", "disabled", "other"].map(of)).toEqual([
        true,
        true,
        false,
      ]);
    },
  })),
  ...(["has_discussions", "security_and_analysis"] as const).map((name) => ({
    id: `migration/repository/${name}/list`,
    statement: `\`${name}\` is a member of repositories of the list of repositories.`,
    check: () => {
      expect(first).toHaveProperty(name);
      expect(exported.repositories[0]).not.toHaveProperty(name);
    },
  })),
];

/** Puts an import into the store, and returns the responses about it. */
async function imported(): Promise<{ list: Draft; repositories: Draft }> {
  const record = await host.store.get<object>(
    TABLES.migrations,
    migrationKey("acme", exported.id),
  );
  const id = 7;
  await host.store.transaction((tx) => {
    const copy = { ...record, id, org: "other", kind: "import" };
    tx.put(TABLES.migrations, migrationKey("other", id), copy as never);
    return Promise.resolve();
  });
  const headers = { authorization: `Bearer ${TOKENS.member}` };
  const get = (target: string): Promise<Answer> =>
    send("GET", `/orgs/other/migrations${target}`, undefined, headers);
  return {
    list: (await get("")).json,
    repositories: (await get(`/${id}/repositories`)).json,
  };
}

const serviceStatements: readonly Statement[] = [
  {
    id: "migration/service/imports-listed",
    statement: "Lists contain imports besides exports.",
    check: async () => {
      const { list } = await imported();
      expect(list.map(({ id }: Draft) => id)).toEqual([7]);
    },
  },
  {
    id: "migration/service/imports-repositories",
    statement: "An import has no list of repositories.",
    check: async () => {
      const { list, repositories } = await imported();
      expect(list[0]).not.toHaveProperty("repositories");
      expect(repositories).toEqual([]);
    },
  },
  {
    id: "migration/service/imports-start",
    statement: "Exports can be started through the API, imports cannot.",
    check: async () => {
      const { properties } = spec.schemas.StartMigrationRequest;
      expect(properties).not.toHaveProperty("kind");
      const { json } = await start({
        repositories: ["alpha"],
        kind: "import",
        exclude_git_data: true,
      });
      expect(json).toHaveProperty("repositories");
    },
  },
  {
    id: "migration/service/imports-created",
    statement: "An import of an archive is recorded.",
    decision: "Migration",
    check: () => expect(Object.keys(methods)).not.toContain("importForOrg"),
  },
  {
    id: "migration/service/several",
    statement: "An export has one or more repositories of an organization.",
    check: async () => {
      const { json } = await start({
        repositories: ["alpha", "beta", "gamma"],
        exclude_git_data: true,
      });
      expect(json.repositories).toHaveLength(3);
      await ended(host, json.id);
    },
  },
  {
    id: "migration/service/archive",
    statement: "The archive has what is needed to clone each repository.",
    check: async () => {
      const files = await unpack(await download(host, exported.id));
      for (const name of ["alpha", "beta"])
        expect(verifyBundle(files.get(`repositories/${name}.bundle`)!)).toMatch(
          /refs\/heads\/main/,
        );
    },
  },
];

/** States in their order, and a word of their descriptions. */
const STATES = {
  pending: "not",
  exporting: "progress",
  exported: "success",
  failed: "failed",
} as const;
const states: readonly Statement[] = [
  ...Object.entries(STATES).map(([state, word], index) => ({
    id: `migration/state/${state}/described`,
    statement: `The description explains the state \`${state}\`.`,
    check: () => {
      const { enum: values, enumDescriptions } =
        spec.schemas.Migration.properties.state;
      expect(values[index]).toBe(state);
      expect(enumDescriptions[index]).toContain(word);
    },
  })),
  {
    id: "migration/state/pending/start",
    statement: "A migration starts as pending.",
    check: async () => {
      const { json } = await start({ repositories: ["alpha"] });
      expect(json.state).toBe("pending");
      await ended(host, json.id);
    },
  },
  {
    id: "migration/state/exported/end",
    statement: "A migration that succeeds ends as exported.",
    check: () => expect(exported.state).toBe("exported"),
  },
  {
    id: "migration/state/exporting/order",
    statement: "A state only moves forward.",
    decision: "Migration",
    check: async () => {
      const order = Object.keys(STATES);
      const { json } = await start({ repositories: ["alpha", "beta"] });
      const seen = [json.state];
      while (!["exported", "failed"].includes(seen.at(-1)))
        seen.push((await send("GET", `${BASE}/${json.id}`)).json.state);
      const positions = seen.map((state) => order.indexOf(state));
      expect(positions).toEqual([...positions].sort((a, b) => a - b));
    },
  },
  {
    id: "migration/lock/start",
    statement: "A start with `lock_repositories` locks the repositories.",
    check: async () => {
      const target = `${BASE}/${await lock()}/repos/gamma/lock`;
      const body = { repositories: ["gamma"], lock_repositories: true };
      expect((await start(body)).status).toBe(422);
      expect((await send("DELETE", target)).status).toBe(204);
    },
  },
  {
    id: "migration/lock/unlock",
    statement: "An unlocked repository can be locked again.",
    check: async () => {
      const id = await lock();
      const target = (migration: number): string =>
        `${BASE}/${migration}/repos/gamma/lock`;
      expect((await send("DELETE", target(id))).status).toBe(204);
      const next = await lock();
      expect((await send("DELETE", target(next))).status).toBe(204);
    },
  },
  {
    id: "migration/lock/protected",
    statement: "A locked repository rejects changes.",
    check: async () => {
      const id = await lock();
      const repository = path.join(root, "acme", "gamma.git");
      const work = path.join(root, "work");
      git(root, "clone", "-q", repository, work);
      const pushFrom = (): string =>
        git(work, "push", "-q", "origin", "HEAD:refs/heads/other");
      expect(pushFrom).toThrow(/locked for a migration/);
      await send("DELETE", `${BASE}/${id}/repos/gamma/lock`);
      expect(pushFrom).not.toThrow();
    },
  },
  {
    id: "migration/lock/unlocked",
    statement: "A repository that is not locked cannot be unlocked.",
    check: async () =>
      expect(
        (await send("DELETE", `${BASE}/${exported.id}/repos/alpha/lock`))
          .status,
      ).toBe(404),
  },
  {
    id: "migration/archive/delete",
    statement: "An archive can be deleted once.",
    check: async () => {
      const { id } = await migrate(host, { repositories: ["alpha"] });
      const archive = `${BASE}/${id}/archive`;
      expect((await send("DELETE", archive)).status).toBe(204);
      expect((await send("DELETE", archive)).status).toBe(404);
      expect((await send("GET", archive)).status).toBe(404);
    },
  },
  {
    id: "migration/archive/state",
    statement: "A migration stays exported when its archive is deleted.",
    decision: "Migration",
    check: async () => {
      const { id } = await migrate(host, { repositories: ["alpha"] });
      await send("DELETE", `${BASE}/${id}/archive`);
      expect((await send("GET", `${BASE}/${id}`)).json.state).toBe("exported");
    },
  },
  {
    id: "migration/archive/seven-days",
    statement: "An archive exists until seven days after its creation.",
    check: async () => {
      const { id } = await migrate(host, { repositories: ["alpha"] });
      const archive = `${BASE}/${id}/archive`;
      host.ahead += 7 * DAY - 60_000;
      expect((await send("GET", archive)).status).toBe(302);
      host.ahead += 120_000;
      expect((await send("GET", archive)).status).toBe(404);
      host.ahead = 0;
    },
  },
];

/** One endpoint of the table, and a request that succeeds. */
interface Endpoint {
  readonly name: string;
  readonly verb: string;
  readonly template: string;
  readonly status: number;
  readonly target: () => string | Promise<string>;
  readonly body?: object;
  /** Schema of the response; none if there is no body. */
  readonly response?: string;
}

const fresh = async (body: object): Promise<number> =>
  (await migrate(host, { exclude_git_data: true, ...body })).id;
/** Locks the repository gamma, which an earlier check may have left locked. */
let locked: number | undefined;
async function lock(): Promise<number> {
  if (locked !== undefined)
    await send("DELETE", `${BASE}/${locked}/repos/gamma/lock`);
  locked = await fresh({ repositories: ["gamma"], lock_repositories: true });
  return locked;
}
const ENDPOINTS: readonly Endpoint[] = [
  {
    name: "listForOrg",
    verb: "GET",
    template: "orgs/{org}/migrations",
    status: 200,
    target: () => BASE,
    response: "MigrationList",
  },
  {
    name: "startForOrg",
    verb: "POST",
    template: "orgs/{org}/migrations",
    status: 201,
    target: () => BASE,
    body: { repositories: ["alpha"], exclude_git_data: true },
    response: "Migration",
  },
  {
    name: "getStatusForOrg",
    verb: "GET",
    template: "orgs/{org}/migrations/{migration_id}",
    status: 200,
    target: () => `${BASE}/${exported.id}`,
    response: "Migration",
  },
  {
    name: "downloadArchiveForOrg",
    verb: "GET",
    template: "orgs/{org}/migrations/{migration_id}/archive",
    status: 302,
    target: () => `${BASE}/${exported.id}/archive`,
  },
  {
    name: "deleteArchiveForOrg",
    verb: "DELETE",
    template: "orgs/{org}/migrations/{migration_id}/archive",
    status: 204,
    target: () =>
      once(
        "archive",
        async () =>
          `${BASE}/${await fresh({ repositories: ["alpha"] })}/archive`,
      ),
  },
  {
    name: "unlockRepoForOrg",
    verb: "DELETE",
    template: "orgs/{org}/migrations/{migration_id}/repos/{repo_name}/lock",
    status: 204,
    target: () =>
      once("lock", async () => `${BASE}/${await lock()}/repos/gamma/lock`),
  },
  {
    name: "listReposForOrg",
    verb: "GET",
    template: "orgs/{org}/migrations/{migration_id}/repositories",
    status: 200,
    target: () => `${BASE}/${exported.id}/repositories`,
    response: "RepositoryList",
  },
];

const endpoints: readonly Statement[] = [
  ...ENDPOINTS.flatMap((endpoint): Statement[] => {
    const { name, verb, template, status, target, body, response } = endpoint;
    const of = (aspect: string): string =>
      `migration/endpoint/${name}/${aspect}`;
    return [
      {
        id: of("success"),
        statement: `${verb} \`/${template}\` succeeds with ${status}${response === undefined ? " and without a body" : ""}.`,
        check: async () => {
          const received = await send(verb, await target(), body);
          expect(received.status).toBe(status);
          if (response === undefined) expect(received.text).toBe("");
          else
            expect(received.headers.get("content-type")).toMatch(
              /^application\/json/,
            );
        },
      },
      {
        id: of("described"),
        statement: `The description has ${verb} \`/${template}\` with this status.`,
        check: () => {
          const method = methods[name];
          expect([
            method.httpMethod,
            method.path,
            method["x-status"] ?? 200,
            method.response?.$ref,
          ]).toEqual([
            verb,
            template,
            name === "deleteArchiveForOrg" || name === "unlockRepoForOrg"
              ? 204
              : status,
            response,
          ]);
        },
      },
      {
        id: of("accept"),
        statement: `${verb} \`/${template}\` takes the recommended media type and any other.`,
        check: async () => {
          for (const accept of ["application/vnd.vendor+json", "text/html"])
            expect(
              (await send(verb, await target(), body, { accept })).status,
            ).toBe(status);
        },
      },
      {
        id: of("org-case"),
        statement: `${verb} \`/${template}\` ignores the case of the organization.`,
        check: async () => {
          const upper = (await target()).replace("/acme/", "/ACME/");
          expect((await send(verb, upper, body)).status).toBe(status);
        },
      },
      {
        id: of("org"),
        statement: `${verb} \`/${template}\` is 404 for an unknown organization.`,
        check: async () => {
          const unknown = (await target()).replace("/acme/", "/none/");
          expect((await send(verb, unknown, body)).status).toBe(404);
        },
      },
      {
        id: of("authentication"),
        statement: `${verb} \`/${template}\` refuses callers without a token.`,
        check: async () => {
          const url = host.origin + (await target());
          const { status: found } = await fetch(url, {
            method: verb,
            redirect: "manual",
          });
          expect(found).toBe(401);
        },
      },
      {
        id: of("owners"),
        statement: `${verb} \`/${template}\` refuses callers who do not own the organization.`,
        check: async () => {
          const headers = { authorization: `Bearer ${TOKENS.member}` };
          expect((await send(verb, await target(), body, headers)).status).toBe(
            404,
          );
        },
      },
      {
        id: of("version"),
        statement: `${verb} \`/${template}\` takes the header with the version.`,
        check: async () => {
          const headers = { "X-Vendor-Api-Version": "2022-11-28" };
          expect((await send(verb, await target(), body, headers)).status).toBe(
            status,
          );
        },
      },
      ...(template.includes("{migration_id}")
        ? [
            {
              id: of("migration"),
              statement: `${verb} \`/${template}\` is 404 for an unknown migration.`,
              check: async () => {
                const unknown = (await target()).replace(
                  /migrations\/\d+/,
                  "migrations/999999",
                );
                expect((await send(verb, unknown)).status).toBe(404);
              },
            },
            {
              id: of("migration-integer"),
              statement: `${verb} \`/${template}\` refuses an id that is not an integer.`,
              check: async () => {
                const text = (await target()).replace(
                  /migrations\/\d+/,
                  "migrations/one",
                );
                expect((await send(verb, text)).status).toBe(404);
              },
            },
          ]
        : []),
    ];
  }),
  {
    id: "migration/endpoint/archive/location",
    statement: "The redirect of an archive leads to its content.",
    check: async () => {
      const files = await unpack(await download(host, exported.id));
      expect([...files.keys()]).toContain("repositories/alpha.bundle");
    },
  },
  {
    id: "migration/endpoint/archive/credential",
    statement: "The target of the redirect needs no credential.",
    check: async () => {
      const { headers } = await send("GET", `${BASE}/${exported.id}/archive`);
      expect((await fetch(headers.get("location")!)).status).toBe(200);
    },
  },
  {
    id: "migration/endpoint/unlock/unknown",
    statement: "The lock of an unknown repository is 404.",
    check: async () =>
      expect(
        (await send("DELETE", `${BASE}/${exported.id}/repos/none/lock`)).status,
      ).toBe(404),
  },
  {
    id: "migration/endpoint/list/order",
    statement: "The list begins with the latest migration.",
    decision: "Migration",
    check: async () => {
      const { json } = await send("GET", BASE);
      const ids = json.map(({ id }: Draft) => id);
      expect(ids).toEqual([...ids].sort((a, b) => b - a));
    },
  },
  {
    id: "migration/endpoint/client",
    statement: "The generated client has a call for each endpoint.",
    check: async () => {
      const migration_id = await lock();
      const at = { org: "acme", migration_id };
      expect(await migrations.getStatusForOrg(at)).toMatchObject({
        state: "exported",
      });
      expect(await migrations.listReposForOrg(at)).toHaveLength(1);
      await migrations.unlockRepoForOrg({ ...at, repo_name: "gamma" });
      expect(await migrations.downloadArchiveForOrg(at)).toBeDefined();
      await migrations.deleteArchiveForOrg(at);
      const [newest] = await migrations.listForOrg({ org: "acme" });
      expect(newest!.id).toBe(migration_id);
    },
  },
  ...(["listForOrg", "getStatusForOrg"] as const).map((name) => ({
    id: `migration/endpoint/${name}/exclude`,
    statement: `\`exclude\` of ${name} omits the repositories.`,
    check: async () => {
      const target = name === "listForOrg" ? BASE : `${BASE}/${exported.id}`;
      const read = async (query: string): Promise<Draft> => {
        const { json } = await send("GET", `${target}${query}`);
        return Array.isArray(json) ? json[0] : json;
      };
      expect(await read("")).toHaveProperty("repositories");
      expect(await read("?exclude=repositories")).not.toHaveProperty(
        "repositories",
      );
    },
  })),
  ...(["listForOrg", "getStatusForOrg"] as const).map((name) => ({
    id: `migration/endpoint/${name}/exclude-values`,
    statement: `\`exclude\` of ${name} takes values besides \`repositories\`.`,
    decision: "Migration",
    check: async () => {
      const target = name === "listForOrg" ? BASE : `${BASE}/${exported.id}`;
      expect((await send("GET", `${target}?exclude=other`)).status).toBe(200);
    },
  })),
];

const FLAG_NAMES = [
  "lock_repositories",
  "exclude_metadata",
  "exclude_git_data",
  "exclude_attachments",
  "exclude_releases",
  "exclude_owner_projects",
  "org_metadata_only",
] as const;

/** Files of the archive of a migration of alpha with a flag. */
async function filesWith(flags: object): Promise<string[]> {
  const id = await fresh({ repositories: ["alpha"], ...flags });
  return [...(await unpack(await download(host, id))).keys()];
}

const bodyStatements: readonly Statement[] = [
  {
    id: "migration/body/repositories/required",
    statement: "A start without `repositories` is refused.",
    check: async () => expect((await start({})).status).toBe(422),
  },
  {
    id: "migration/body/repositories/type",
    statement: "`repositories` is a list of texts.",
    check: async () => {
      for (const repositories of ["alpha", [1], { alpha: true }])
        expect((await start({ repositories })).status).toBe(422);
    },
  },
  {
    id: "migration/body/repositories/several",
    statement: "A migration can have several repositories.",
    check: () =>
      expect(exported.repositories.map(({ name }: Draft) => name)).toEqual([
        "alpha",
        "beta",
      ]),
  },
  {
    id: "migration/body/repositories/empty",
    statement: "An empty list is refused without `org_metadata_only`.",
    decision: "Migration",
    check: async () =>
      expect((await start({ repositories: [] })).status).toBe(422),
  },
  {
    id: "migration/body/repositories/described",
    statement: "The description requires `repositories`.",
    check: () =>
      expect(
        spec.schemas.StartMigrationRequest.properties.repositories.annotations
          .required,
      ).toContain("migration.migrations.startForOrg"),
  },
  ...FLAG_NAMES.flatMap((name): Statement[] => [
    {
      id: `migration/body/${name}/default`,
      statement: `\`${name}\` is false by default.`,
      check: async () => {
        expect(exported[name]).toBe(false);
        expect(
          spec.schemas.StartMigrationRequest.properties[name].default,
        ).toBe("false");
      },
    },
    {
      id: `migration/body/${name}/type`,
      statement: `\`${name}\` must be a boolean.`,
      check: async () => {
        const body = { repositories: ["alpha"], [name]: "yes" };
        expect((await start(body)).status).toBe(422);
        expect(validateStartMigrationRequest(body).valid).toBe(false);
      },
    },
    {
      id: `migration/body/${name}/true`,
      statement: `A migration shows that \`${name}\` was true.`,
      check: async () => {
        const repositories = name === "org_metadata_only" ? [] : ["beta"];
        const { json } = await start({ repositories, [name]: true });
        expect(json[name]).toBe(true);
        expect((await ended(host, json.id))[name]).toBe(true);
        if (name === "lock_repositories")
          await send("DELETE", `${BASE}/${json.id}/repos/beta/lock`);
      },
    },
  ]),
  {
    id: "migration/body/exclude_metadata/archive",
    statement: "With `exclude_metadata` the archive has only git data.",
    check: async () => {
      const files = await filesWith({
        exclude_metadata: true,
        exclude_git_data: false,
      });
      expect(files).toContain("repositories/alpha.bundle");
      expect(files.filter((name) => /releases|projects/.test(name))).toEqual(
        [],
      );
    },
  },
  {
    id: "migration/body/exclude_git_data/archive",
    statement: "With `exclude_git_data` the archive has no git data.",
    check: async () => {
      const files = await filesWith({ exclude_git_data: true });
      expect(files.filter((name) => name.endsWith(".bundle"))).toEqual([]);
    },
  },
  {
    id: "migration/body/exclude_releases/archive",
    statement: "With `exclude_releases` the archive has no releases.",
    check: async () => {
      expect(await filesWith({})).toContain("releases/alpha.json");
      expect(await filesWith({ exclude_releases: true })).not.toContain(
        "releases/alpha.json",
      );
    },
  },
  {
    id: "migration/body/exclude_owner_projects/archive",
    statement: "With `exclude_owner_projects` the archive has no projects.",
    check: async () => {
      expect(await filesWith({})).toContain("projects.json");
      expect(await filesWith({ exclude_owner_projects: true })).not.toContain(
        "projects.json",
      );
    },
  },
  {
    id: "migration/body/exclude_attachments/archive",
    statement: "With `exclude_attachments` the archive has no attachments.",
    check: async () =>
      expect(
        (await filesWith({ exclude_attachments: true })).filter((name) =>
          name.startsWith("attachments"),
        ),
      ).toEqual([]),
  },
  {
    id: "migration/body/org_metadata_only/archive",
    statement:
      "With `org_metadata_only` the archive has only the organization.",
    check: async () => {
      const { id } = await migrate(host, {
        repositories: [],
        org_metadata_only: true,
      });
      const files = [...(await unpack(await download(host, id))).keys()];
      expect(files).toContain("organization.json");
      expect(files.filter((name) => name.startsWith("repositor"))).toEqual([]);
    },
  },
  {
    id: "migration/body/org_metadata_only/repositories",
    statement: "`org_metadata_only` with repositories is refused.",
    check: async () =>
      expect(
        (await start({ repositories: ["alpha"], org_metadata_only: true }))
          .status,
      ).toBe(422),
  },
  {
    id: "migration/body/org_metadata_only/flags",
    statement: "`org_metadata_only` ignores the other flags.",
    check: async () => {
      const { id } = await migrate(host, {
        repositories: [],
        org_metadata_only: true,
        exclude_metadata: true,
        lock_repositories: true,
      });
      const files = [...(await unpack(await download(host, id))).keys()];
      expect(files).toContain("organization.json");
    },
  },
  {
    id: "migration/body/exclude/repositories",
    statement: "`exclude` of a start omits the repositories of the response.",
    check: async () => {
      const { json } = await start({
        repositories: ["alpha"],
        exclude: ["repositories"],
      });
      expect(json).not.toHaveProperty("repositories");
      const later = await ended(host, json.id);
      expect(later.repositories).toHaveLength(1);
    },
  },
  {
    id: "migration/body/exclude/other",
    statement: "`exclude` of a start refuses other values.",
    check: async () =>
      expect(
        (await start({ repositories: ["alpha"], exclude: ["other"] })).status,
      ).toBe(422),
  },
];

const authentication: readonly Statement[] = [
  ...(["Bearer", "token"] as const).map((scheme) => ({
    id: `migration/authentication/${scheme}`,
    statement: `A token can be sent with the scheme ${scheme}.`,
    ...(scheme === "token" ? { decision: "Migration" } : {}),
    check: async () => {
      const authorization = `${scheme} ${TOKENS.owner}`;
      expect(
        (await send("GET", BASE, undefined, { authorization })).status,
      ).toBe(200);
    },
  })),
  {
    id: "migration/authentication/unknown",
    statement: "An unknown token is refused.",
    check: async () => {
      const headers = { authorization: "Bearer unknown" };
      expect((await send("GET", BASE, undefined, headers)).status).toBe(401);
    },
  },
  ...(
    [
      ["app-user", TOKENS.appUser, "user tokens of apps"],
      ["app-installation", TOKENS.app, "installation tokens of apps"],
      ["fine-grained", TOKENS.fine, "fine-grained personal tokens"],
    ] as const
  ).map(([name, token, kind]) => ({
    id: `migration/authentication/${name}`,
    statement: `The endpoints do not work with ${kind}.`,
    check: async () => {
      const headers = { authorization: `Bearer ${token}` };
      expect((await send("GET", BASE, undefined, headers)).status).toBe(403);
    },
  })),
  {
    id: "migration/authentication/scopes",
    statement: "A token needs the scopes `repo` and `admin:org`.",
    decision: "Migration",
    check: async () => {
      const headers = { authorization: `Bearer ${TOKENS.narrow}` };
      expect((await send("GET", BASE, undefined, headers)).status).toBe(403);
    },
  },
  {
    id: "migration/authentication/client",
    statement: "The generated client sends its token.",
    check: async () => {
      const stranger = createMigration({
        rootUrl: `${host.origin}/`,
        auth: "unknown",
      });
      const list = stranger.migrations.listForOrg({ org: "acme" });
      const error = await Promise.resolve(list).catch((thrown) => thrown);
      expect(isApiError(error) && error.status).toBe(401);
    },
  },
];

const errors: readonly Statement[] = [
  {
    id: "migration/errors/404/form",
    statement: "A 404 has a message and a link to the documentation.",
    decision: "Migration",
    check: async () =>
      expect((await send("GET", `${BASE}/999999`)).json).toEqual({
        message: "Not Found",
        documentation_url: expect.any(String),
        status: "404",
      }),
  },
  {
    id: "migration/errors/422/form",
    statement: "A 422 lists the members at fault.",
    decision: "Migration",
    check: async () => {
      const { json } = await start({ repositories: "alpha" });
      expect(json).toMatchObject({
        message: expect.any(String),
        errors: [{ field: "repositories" }],
      });
    },
  },
  {
    id: "migration/errors/404/repository",
    statement: "A start with an unknown repository is a 404.",
    check: async () =>
      expect((await start({ repositories: ["none"] })).status).toBe(404),
  },
  {
    id: "migration/errors/422/spam",
    statement: "Too many migrations at once are a 422.",
    check: async () => {
      const busy = await serve(root, undefined, { unfinished: 1 });
      try {
        const all = await Promise.all(
          [1, 2, 3, 4].map(() =>
            call(
              busy,
              "POST",
              BASE,
              { repositories: ["alpha", "beta", "gamma"] },
              { "content-type": "application/json" },
            ),
          ),
        );
        const statuses = all.map(({ status }) => status);
        expect(statuses).toContain(201);
        expect(statuses).toContain(422);
      } finally {
        await busy.close();
      }
    },
  },
  ...(
    [
      ["text", "text/plain", 201],
      ["form", "application/x-www-form-urlencoded", 415],
    ] as const
  ).map(([name, type, status]) => ({
    id: `migration/errors/content-type-${name}`,
    statement: `A start with a body of the type \`${type}\` is ${status}.`,
    decision: "Content types",
    check: async () => {
      const body = { repositories: ["alpha"] };
      const headers = { "content-type": type };
      expect((await send("POST", BASE, body, headers)).status).toBe(status);
    },
  })),
];

/** Migrations of a service with many of them, on a page. */
async function pageOf(query: string): Promise<Answer> {
  return send("GET", `${BASE}?${query}`);
}

const limits: readonly Statement[] = [
  ...(["listForOrg", "listReposForOrg"] as const).flatMap((name) => [
    {
      id: `migration/limits/${name}/per_page-default`,
      statement: `\`per_page\` of ${name} is 30 by default.`,
      check: () => expect(methods[name].parameters.per_page.default).toBe("30"),
    },
    {
      id: `migration/limits/${name}/per_page-maximum`,
      statement: `\`per_page\` of ${name} is at most 100.`,
      check: () =>
        expect(methods[name].parameters.per_page.maximum).toBe("100"),
    },
    {
      id: `migration/limits/${name}/page-default`,
      statement: `\`page\` of ${name} is 1 by default.`,
      check: () => expect(methods[name].parameters.page.default).toBe("1"),
    },
    {
      id: `migration/limits/${name}/per_page-served`,
      statement: `${name} returns as many elements as \`per_page\` says.`,
      check: async () => {
        const target =
          name === "listForOrg" ? BASE : `${BASE}/${exported.id}/repositories`;
        const { json } = await send("GET", `${target}?per_page=1`);
        expect(json).toHaveLength(1);
      },
    },
    {
      id: `migration/limits/${name}/page-served`,
      statement: `${name} returns the requested page.`,
      check: async () => {
        const target =
          name === "listForOrg" ? BASE : `${BASE}/${exported.id}/repositories`;
        const all = (await send("GET", `${target}?per_page=100`)).json;
        const second = await send("GET", `${target}?per_page=1&page=2`);
        expect(second.json).toEqual([all[1]]);
      },
    },
    {
      id: `migration/limits/${name}/page-end`,
      statement: `A page of ${name} past the end is empty.`,
      check: async () => {
        const target =
          name === "listForOrg" ? BASE : `${BASE}/${exported.id}/repositories`;
        expect((await send("GET", `${target}?page=99`)).json).toEqual([]);
      },
    },
  ]),
  {
    id: "migration/limits/served-default",
    statement: "The list has 30 migrations on a page, and 100 at most.",
    check: async () => {
      const many = await serve(root, undefined, { unfinished: 1000 });
      try {
        for (let count = 0; count < 102; count++)
          await call(
            many,
            "POST",
            BASE,
            { repositories: [], org_metadata_only: true },
            { "content-type": "application/json" },
          );
        const sizeOf = async (query: string): Promise<number> =>
          (await call(many, "GET", BASE + query)).json.length;
        expect(await sizeOf("")).toBe(30);
        expect(await sizeOf("?per_page=100")).toBe(100);
        expect(await sizeOf("?per_page=500")).toBe(100);
        expect(await sizeOf("?per_page=100&page=2")).toBe(2);
      } finally {
        await many.close();
      }
    },
  },
  {
    id: "migration/limits/links",
    statement: "A page links to its neighbours.",
    decision: "Migration",
    check: async () => {
      const { headers } = await pageOf("per_page=1&page=2");
      for (const relation of ["prev", "next", "last", "first"])
        expect(headers.get("link")).toContain(`rel="${relation}"`);
    },
  },
];

const versioning: readonly Statement[] = [
  {
    id: "migration/versioning/date",
    statement: "The version in the header is a date.",
    check: async () => {
      for (const version of ["v3", "2022", "2022-13-01"]) {
        const headers = { "x-vendor-api-version": version };
        const { status } = await send("GET", BASE, undefined, headers);
        expect(status, version).toBe(400);
      }
    },
  },
  {
    id: "migration/versioning/default",
    statement: "Without the header the oldest version applies.",
    decision: "Migration",
    check: async () => {
      const { headers } = await send("GET", BASE);
      expect(headers.get("x-vendor-api-version-selected")).toBe("2022-11-28");
    },
  },
  {
    id: "migration/versioning/unsupported",
    statement: "A version that is not supported is a 400.",
    decision: "Migration",
    check: async () => {
      const headers = { "x-vendor-api-version": "1999-01-01" };
      expect((await send("GET", BASE, undefined, headers)).status).toBe(400);
    },
  },
  {
    id: "migration/versioning/client",
    statement: "The generated client can send the header.",
    check: async () => {
      const { response } = await migrations
        .listForOrg({ org: "acme", "X-Vendor-Api-Version": "2022-11-28" })
        .withResponse();
      expect(response.headers.get("x-vendor-api-version-selected")).toBe(
        "2022-11-28",
      );
    },
  },
];

acceptance({ seed: 3, section: "What the service does" }, serviceStatements);
acceptance({ seed: 3, section: "Migration" }, migrationStatements);
acceptance({ seed: 3, section: "Owner" }, ownerStatements);
acceptance({ seed: 3, section: "Repository" }, repositoryStatements);
acceptance({ seed: 3, section: "States and transitions" }, states);
acceptance({ seed: 3, section: "Endpoints" }, endpoints);
acceptance({ seed: 3, section: "Body of endpoint 2" }, bodyStatements);
acceptance({ seed: 3, section: "Authentication" }, authentication);
acceptance({ seed: 3, section: "Errors" }, errors);
acceptance({ seed: 3, section: "Limits" }, limits);
acceptance({ seed: 3, section: "Versioning" }, versioning);
