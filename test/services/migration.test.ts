import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createMigration,
  isApiError,
} from "../../generated/migration/v1/index.js";
import {
  validateMigration,
  validateRepositoryList,
} from "../../generated/migration/v1/validators.js";
import {
  call,
  download,
  ended,
  makeRepository,
  migrate,
  serve,
  temporary,
  TOKENS,
  unpack,
  verifyBundle,
  type Running,
} from "./migration-support.js";

const { folder: root, remove } = temporary();
let host: Running;
beforeAll(async () => {
  for (const name of ["alpha", "beta"]) makeRepository(root, "acme", name);
  host = await serve(root, undefined);
});
afterAll(async () => {
  await host.close();
  remove();
});

const RESPONSE = { mode: "response" } as const;

test("supports the life cycle with the generated client", async () => {
  const { migrations } = createMigration({
    rootUrl: `${host.origin}/`,
    auth: () => TOKENS.owner,
  });
  const requestBody = { repositories: ["Acme/alpha", "BETA"] };
  const started = await migrations.startForOrg({ org: "ACME", requestBody });
  expect(started).toMatchObject({
    state: "pending",
    lock_repositories: false,
    owner: { login: "Acme", type: "Organization" },
    repositories: [{ full_name: "Acme/alpha" }, { full_name: "Acme/beta" }],
  });
  expect(started.created_at).toMatch(/T[\d:]{8}\+00:00$/);
  const id = started.id!;
  await ended(host, id);
  const at = { org: "acme", migration_id: id };
  const status = await migrations.getStatusForOrg(at);
  expect(status.state).toBe("exported");
  expect(validateMigration(status, RESPONSE)).toMatchObject({ valid: true });
  const [newest] = await migrations.listForOrg({ org: "acme" });
  expect(newest).toEqual(status);
  const repositories = await migrations.listReposForOrg(at);
  expect(repositories).toMatchObject(status.repositories!);
  expect(repositories[0]).toMatchObject({
    has_discussions: false,
    security_and_analysis: { secret_scanning: { status: "disabled" } },
  });
  expect(validateRepositoryList(repositories, RESPONSE)).toMatchObject({
    valid: true,
  });
  await migrations.deleteArchiveForOrg(at);
  const again = migrations.deleteArchiveForOrg(at);
  await expect(again).rejects.toSatisfy(
    (error) => isApiError(error) && error.status === 404,
  );
  expect((await migrations.getStatusForOrg(at)).state).toBe("exported");
});

test("reads repositories from git and keeps their ids", async () => {
  const first = (await migrate(host, { repositories: ["alpha"] }))
    .repositories[0];
  const second = (await migrate(host, { repositories: ["beta", "alpha"] }))
    .repositories[1];
  expect(second).toEqual(first);
  expect(first).toMatchObject({
    name: "alpha",
    node_id: Buffer.from(`010:Repository${first.id}`).toString("base64"),
    default_branch: "main",
    pushed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/),
    size: expect.any(Number),
    permissions: { admin: true, push: true, pull: true },
    language: null,
  });
});

describe("the archive", () => {
  test("contains bundles that git can clone", async () => {
    const { id } = await migrate(host, { repositories: ["alpha", "beta"] });
    const files = await unpack(await download(host, id));
    expect([...files.keys()]).toEqual([
      "schema.json",
      "migration.json",
      "organization.json",
      "projects.json",
      "repositories/alpha.bundle",
      "repositories/alpha.json",
      "releases/alpha.json",
      "repositories/beta.bundle",
      "repositories/beta.json",
      "releases/beta.json",
    ]);
    const heads = verifyBundle(files.get("repositories/beta.bundle")!);
    expect(heads).toContain(" HEAD\n");
    expect(heads).toContain(" refs/tags/v1\n");
    const releases = JSON.parse(String(files.get("releases/beta.json")));
    expect(releases).toMatchObject([
      { tag_name: "v1", author: "A", body: "Release of beta" },
    ]);
  });
});

test("lists imports without repositories", async () => {
  const before = await host.store.list<{ id: number }>("migration-migrations");
  const last = before.at(-1)!;
  const id = last.value.id + 1000;
  const key = `acme/${String(id).padStart(16, "0")}`;
  const imported = {
    ...last.value,
    id,
    kind: "import",
    repositories: ["beta"],
  };
  await host.store.transaction(async (transaction) =>
    transaction.put("migration-migrations", key, imported),
  );
  const list = await call(host, "GET", "/orgs/acme/migrations?per_page=1");
  expect(list.json[0].id).toBe(id);
  expect(list.json[0]).not.toHaveProperty("repositories");
  const target = `/orgs/acme/migrations/${id}/repositories`;
  expect((await call(host, "GET", target)).json).toEqual([]);
});
