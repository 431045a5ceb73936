import path from "node:path";
import { Octokit } from "@octokit/rest";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ended,
  git,
  makeRepository,
  serve,
  temporary,
  TOKENS,
  unpack,
  verifyBundle,
  type Running,
} from "../services/migration-support.js";

/*
 * The official client of the API that the migrations are modelled on, as its
 * users have it, against the service over loopback.
 */

const { folder: root, remove } = temporary();
const NAMES = ["alpha", "beta", "gamma", "delta", "epsilon"];
let host: Running;
let octokit: Octokit;

const as = (auth: string | undefined): Octokit =>
  new Octokit({
    ...(auth === undefined ? {} : { auth }),
    baseUrl: host.origin,
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });

beforeAll(async () => {
  for (const name of NAMES) makeRepository(root, "acme", name);
  host = await serve(root, undefined);
  octokit = as(TOKENS.owner);
});
afterAll(async () => {
  await host.close();
  remove();
});

/** Returns status and message of the error of a call. */
async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.fail("The call succeeded."),
    (error: { status: number; message: string; response: unknown }) => error,
  );
}

/** Starts an export and waits until it is finished. */
async function migrated(repositories: string[]): Promise<number> {
  const { data } = await octokit.rest.migrations.startForOrg({
    org: "acme",
    repositories,
  });
  await ended(host, data.id);
  return data.id;
}

describe("@octokit/rest", () => {
  test("startForOrg: 201 with the migration", async () => {
    const { status, data, headers } = await octokit.rest.migrations.startForOrg(
      {
        org: "ACME",
        repositories: ["acme/alpha", "beta"],
        exclude_attachments: true,
      },
    );
    expect(status).toBe(201);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(data).toMatchObject({
      state: "pending",
      exclude_attachments: true,
      owner: { login: "Acme" },
    });
    expect(data.repositories.map(({ full_name }) => full_name)).toEqual([
      "Acme/alpha",
      "Acme/beta",
    ]);
    await ended(host, data.id);
  });

  test("startForOrg: exclude omits the repositories", async () => {
    const { data } = await octokit.rest.migrations.startForOrg({
      org: "acme",
      repositories: ["alpha"],
      exclude: ["repositories"],
    });
    expect(data).not.toHaveProperty("repositories");
    await ended(host, data.id);
  });

  test("getStatusForOrg: until it is exported, and without repositories", async () => {
    const migration_id = await migrated(["alpha"]);
    const at = { org: "acme", migration_id };
    const { status, data } = await octokit.rest.migrations.getStatusForOrg(at);
    expect([status, data.state]).toEqual([200, "exported"]);
    const small = await octokit.rest.migrations.getStatusForOrg({
      ...at,
      exclude: ["repositories"],
    });
    expect(small.data).not.toHaveProperty("repositories");
  });

  test("listForOrg: the newest first, with paginate through all pages", async () => {
    const ids = [
      await migrated(["alpha"]),
      await migrated(["beta"]),
      await migrated(["gamma"]),
    ];
    const page = await octokit.rest.migrations.listForOrg({
      org: "acme",
      per_page: 2,
    });
    expect(page.headers.link).toMatch(/rel="next".*rel="last"/);
    const all = await octokit.paginate(octokit.rest.migrations.listForOrg, {
      org: "acme",
      per_page: 2,
      exclude: ["repositories"],
    });
    expect(all.slice(0, 3).map(({ id }) => id)).toEqual(ids.reverse());
    expect(all.at(-1)!.id).toBe(1);
    expect(all.length).toBe(all[0]!.id);
    for (const one of all) expect(one).not.toHaveProperty("repositories");
  });

  test("listForOrg: pages as an iterator", async () => {
    const sizes: number[] = [];
    const { listForOrg } = octokit.rest.migrations;
    for await (const { data } of octokit.paginate.iterator(listForOrg, {
      org: "acme",
      per_page: 4,
    }))
      sizes.push(data.length);
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes.slice(0, -1).every((size) => size === 4)).toBe(true);
  });

  test("listReposForOrg: with paginate", async () => {
    const migration_id = await migrated(NAMES);
    const all = await octokit.paginate(
      octokit.rest.migrations.listReposForOrg,
      { org: "acme", migration_id, per_page: 2 },
    );
    expect(all.map(({ name }) => name)).toEqual(NAMES);
    expect(all[0]).toMatchObject({
      permissions: { admin: true, push: true, pull: true },
      default_branch: "main",
    });
  });

  test("downloadArchiveForOrg: the bytes, without sending the token to the archive URL", async () => {
    const migration_id = await migrated(["alpha", "beta"]);
    const { data } = await octokit.rest.migrations.downloadArchiveForOrg({
      org: "acme",
      migration_id,
    });
    expect(data).toBeInstanceOf(ArrayBuffer);
    const files = await unpack(new Uint8Array(data as unknown as ArrayBuffer));
    verifyBundle(files.get("repositories/beta.bundle")!);
  });

  test("downloadArchiveForOrg: the 302 itself", async () => {
    const migration_id = await migrated(["alpha"]);
    const { status, headers } =
      (await octokit.rest.migrations.downloadArchiveForOrg({
        org: "acme",
        migration_id,
        request: { redirect: "manual" },
      })) as { status: number; headers: { location?: string } };
    expect(status).toBe(302);
    expect(headers.location).toMatch(/^http:.*\/archives\/\d+\.tar\.gz\?/);
  });

  test("deleteArchiveForOrg: 204, then 404, and the migration stays", async () => {
    const at = { org: "acme", migration_id: await migrated(["alpha"]) };
    const gone = await octokit.rest.migrations.deleteArchiveForOrg(at);
    expect(gone.status).toBe(204);
    for (const again of [
      octokit.rest.migrations.deleteArchiveForOrg(at),
      octokit.rest.migrations.downloadArchiveForOrg(at),
    ])
      expect(await failure(again)).toMatchObject({ status: 404 });
    const { data } = await octokit.rest.migrations.getStatusForOrg(at);
    expect(data.state).toBe("exported");
  });

  test("unlockRepoForOrg: 204, and pushes work again", async () => {
    const { data } = await octokit.rest.migrations.startForOrg({
      org: "acme",
      repositories: ["delta"],
      lock_repositories: true,
    });
    await ended(host, data.id);
    const work = path.join(root, "work");
    git(root, "clone", "-q", path.join(root, "acme", "delta.git"), work);
    git(work, "commit", "-q", "--allow-empty", "-m", "More");
    expect(() => git(work, "push", "-q", "origin", "HEAD")).toThrow(/locked/);
    const at = { org: "acme", migration_id: data.id, repo_name: "delta" };
    const { status } = await octokit.rest.migrations.unlockRepoForOrg(at);
    expect(status).toBe(204);
    git(work, "push", "-q", "origin", "HEAD");
    const again = octokit.rest.migrations.unlockRepoForOrg(at);
    expect(await failure(again)).toMatchObject({ status: 404 });
  });

  test("422: the message names the field", async () => {
    const wrong = octokit.rest.migrations.startForOrg({
      org: "acme",
      repositories: ["../x"],
    });
    expect(await failure(wrong)).toMatchObject({
      status: 422,
      message: expect.stringMatching(
        /^Validation Failed: \{.*"repositories\[0\]".*\} - https:\/\//,
      ),
      response: { data: { errors: [{ code: "invalid" }] } },
    });
  });

  test.each([
    [undefined, 401, "Requires authentication"],
    ["wrong", 401, "Bad credentials"],
    [TOKENS.app, 403, "Resource not accessible by integration"],
    [TOKENS.appUser, 403, "Resource not accessible by integration"],
    [TOKENS.fine, 403, "Resource not accessible by personal access token"],
    [TOKENS.member, 404, "Not Found"],
  ])("token %s: %d", async (token, status, message) => {
    const refused = as(token).rest.migrations.listForOrg({ org: "acme" });
    expect(await failure(refused)).toMatchObject({
      status,
      message: expect.stringContaining(message),
    });
  });
});
