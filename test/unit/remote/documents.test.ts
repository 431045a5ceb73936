import {
  mkdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { documentDigest } from "../../../src/load/canonical.js";
import { Project, SHOP, documentServer } from "./project.js";
import { shop } from "./support.js";
import { temporaryFolder } from "../../support/paths.js";

/** Returns schemas with the names S0, S1 and so on. */
function schemas(count: number): Record<string, object> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `S${at}`,
      { id: `S${at}`, type: "object" },
    ]),
  );
}

describe("a new API", () => {
  test("is fetched, stored with sorted keys and locked", async () => {
    const server = await documentServer();
    const project = new Project(server);
    const { updates, findings } = await project.update();
    expect(findings).toEqual([]);
    expect(updates).toMatchObject([
      { id: "shop:v1", status: "new", latest: "20240101" },
    ]);
    const { document, lock } = project.state();
    expect(JSON.parse(document!)).toEqual(server.document);
    expect(Object.keys(JSON.parse(document!) as object)).toEqual(
      Object.keys(server.document).sort(),
    );
    expect(JSON.parse(lock!)).toEqual({
      lockVersion: 1,
      apis: {
        "shop:v1": {
          url: `${server.origin}/discovery/v1/apis/shop/v1/rest`,
          revision: "20240101",
          digest: `sha256-${documentDigest(server.document)}`,
        },
      },
    });
  });

  test("of another name is refused", async () => {
    const server = await documentServer();
    server.document = { ...shop(), name: "other" };
    const project = new Project(server);
    const { findings } = await project.update();
    expect(findings[0]).toMatch(
      /^remote-mismatch .* must describe shop:v1, found other:v1/,
    );
    expect(project.state()).toEqual({});
  });

  test.each([
    ["../x", "v1"],
    ["a/b", "v1"],
    ["..", "v1"],
    ["a", "v1\u0000"],
    ["a", "v1..2"],
    ["", "v1"],
    [".a", "v1"],
  ])("with the name %j and version %j is refused", async (name, version) => {
    const server = await documentServer();
    server.document = { ...shop(), name, version };
    const project = new Project(server);
    const source = `${server.origin}/discovery/v1/apis/shop/v1/rest`;
    const { findings } = await project.update({}, [{ ...SHOP, source }]);
    expect(findings[0]).toMatch(
      /^(remote-response .* must consist of|shape-wrong-type)/,
    );
    expect(project.state()).toEqual({});
  });

  test.each<[string, string, RegExp]>([
    ["shoop:v1", "shoop", /remote-unknown .*did you mean shop\?/],
    [
      "shop:v3",
      "shop",
      /remote-unknown .*shop has no version v3; available versions: shop:v1, shop:v2/,
    ],
    ["shop", "shop", /remote-unknown .*preferred: shop:v1/],
    ["shop:v2", "shop", /remote-failed .*404 Not Found: Not found\./],
  ])("%s is reported", async (id, _, message) => {
    const project = new Project(await documentServer());
    const { findings } = await project.update({}, [
      { id, file: "specs/x.json" },
    ]);
    expect(findings[0]).toMatch(message);
  });
});

describe("an update", () => {
  async function locked(): Promise<
    [Awaited<ReturnType<typeof documentServer>>, Project]
  > {
    const server = await documentServer();
    const project = new Project(server);
    await project.update();
    return [server, project];
  }

  test("replaces document and lock", async () => {
    const [server, project] = await locked();
    server.document = shop("20240202");
    expect((await project.update()).updates).toMatchObject([
      { status: "outdated", locked: "20240101", latest: "20240202" },
    ]);
    expect(project.state().lock).toContain('"20240202"');
    expect(JSON.parse(project.state().document!)).toEqual(server.document);
  });

  test("of key order, etag and revision only changes nothing", async () => {
    const [server, project] = await locked();
    const before = project.state();
    server.document = {
      etag: "x",
      ...Object.fromEntries(Object.entries(shop()).reverse()),
      revision: "20240303",
    };
    const { updates } = await project.update();
    expect(updates).toMatchObject([{ status: "current" }]);
    expect(project.state()).toEqual(before);
  });

  test("to an older revision needs force", async () => {
    const [server, project] = await locked();
    const before = project.state();
    server.document = shop("20231231");
    const refused = await project.update();
    expect(refused.findings).toEqual([
      expect.stringMatching(
        /^remote-older .*revision 20231231, which is older than the locked revision 20240101/,
      ),
    ]);
    expect(project.state()).toEqual(before);
    expect((await project.update({ isForced: true })).findings).toEqual([]);
    expect(project.state().lock).toContain('"20231231"');
  });

  test.each<[string, object]>([
    ["schemas", { schemas: {} }],
    ["methods", { schemas: schemas(4), methods: {} }],
    ["everything", { schemas: undefined, methods: undefined }],
  ])("that has lost most %s needs force", async (_, loss) => {
    const server = await documentServer();
    const project = new Project(server);
    const method = { id: "shop.m", path: "m", httpMethod: "GET" };
    const full = {
      schemas: schemas(4),
      resources: { a: { resources: { b: { methods: { m: method } } } } },
      methods: { n: { ...method, id: "shop.n", path: "n" } },
    };
    server.document = shop("20240101", full);
    await project.update();
    const before = project.state();
    server.document = shop("20240202", { ...full, resources: {}, ...loss });
    const refused = await project.update();
    expect(refused.findings).toEqual([
      expect.stringMatching(/^remote-shrunk .*has only 0 of [24] (meth|schem)/),
    ]);
    expect(refused.updates).toMatchObject([{ status: "shrunk" }]);
    expect(project.state()).toEqual(before);
    expect((await project.ensure()).failed).toEqual([]);
    expect((await project.update({ isForced: true })).findings).toEqual([]);
    expect(project.state().lock).toContain('"20240202"');
  });

  test("that has lost half of its schemas is accepted", async () => {
    const server = await documentServer();
    const project = new Project(server);
    server.document = shop("20240101", { schemas: schemas(4) });
    await project.update();
    server.document = shop("20240202", { schemas: schemas(2) });
    expect((await project.update()).findings).toEqual([]);
    expect(project.state().lock).toContain('"20240202"');
  });

  test("over a damaged stored document is accepted", async () => {
    const [server, project] = await locked();
    for (const text of ["[]", '{"resources":[1],"schemas":7,"methods":null}']) {
      writeFileSync(path.join(project.cwd, SHOP.file), text);
      server.document = shop("20240202");
      expect((await project.update()).findings).toEqual([]);
      server.document = shop();
      await project.update({ isForced: true });
    }
  });

  test("is only reported by a dry run, and refused if frozen", async () => {
    const [server, project] = await locked();
    const before = project.state();
    server.document = shop("20240202");
    expect((await project.update({ isDryRun: true })).updates).toMatchObject([
      { status: "outdated" },
    ]);
    const frozen = await project.update({ isFrozen: true });
    expect(frozen.findings).toEqual([
      expect.stringMatching(/^lock-mismatch .*shop:v1/),
    ]);
    expect(project.state()).toEqual(before);
  });

  test("restores an edited document", async () => {
    const [, project] = await locked();
    const before = project.state();
    writeFileSync(path.join(project.cwd, SHOP.file), "{");
    expect((await project.update()).updates).toMatchObject([
      { status: "current" },
    ]);
    expect(project.state()).toEqual(before);
  });

  test("removes entries of APIs that no longer exist", async () => {
    const [, project] = await locked();
    await project.update({ removed: (lock) => [...lock.keys()] }, []);
    expect(JSON.parse(project.state().lock!)).toEqual({
      lockVersion: 1,
      apis: {},
    });
  });

  test("that can't write a document still pins the others", async () => {
    const server = await documentServer();
    const project = new Project(server);
    mkdirSync(path.join(project.cwd, "folder.json"));
    const source = `${server.origin}/discovery/v1/apis/shop/v1/rest`;
    const apis = [{ id: "a:v1", file: "folder.json", source }, SHOP];
    const { findings } = await project.update({}, apis);
    expect(findings).toEqual([
      expect.stringMatching(/^output-unwritable folder\.json/),
    ]);
    const { apis: locked } = JSON.parse(project.state().lock!) as {
      apis: object;
    };
    expect(Object.keys(locked)).toEqual(["shop:v1"]);
  });

  test("does not follow links of a repository", async () => {
    const [server, project] = await locked();
    const outside = temporaryFolder();
    writeFileSync(path.join(outside, "shop.v1.json"), "mine");
    rmSync(path.join(project.cwd, "specs"), { recursive: true });
    symlinkSync(outside, path.join(project.cwd, "specs"));
    server.document = shop("20240202");
    expect((await project.update()).findings).toEqual([
      expect.stringMatching(/^output-unwritable .*working directory/),
    ]);
  });
});

describe("a run", () => {
  test("fetches a missing document of the lock", async () => {
    const server = await documentServer();
    const project = new Project(server);
    await project.update();
    const before = project.state();
    rmSync(path.join(project.cwd, "specs"), { recursive: true });
    expect(await project.ensure()).toMatchObject({ findings: [], failed: [] });
    expect(project.state()).toEqual(before);
  });

  test("adds an API that is in neither", async () => {
    const project = new Project(await documentServer());
    expect(await project.ensure()).toMatchObject({ findings: [], failed: [] });
    expect(project.state().lock).toContain('"shop:v1"');
    expect(project.state().document).toContain('"shop"');
  });

  test("requests nothing if all documents exist", async () => {
    const server = await documentServer();
    const project = new Project(server);
    await project.update();
    const { length } = server.requests;
    expect(await project.ensure()).toMatchObject({ findings: [], failed: [] });
    expect(await project.ensure({ isFrozen: true })).toMatchObject({
      failed: [],
    });
    expect(server.requests).toHaveLength(length);
  });

  test("finds a document again that was moved", async () => {
    const server = await documentServer();
    const project = new Project(server);
    await project.update();
    const lock = project.text("gen.lock.json")!;
    writeFileSync(
      path.join(project.cwd, "gen.lock.json"),
      lock.replace("/rest", "/old"),
    );
    rmSync(path.join(project.cwd, "specs"), { recursive: true });
    expect(await project.ensure()).toMatchObject({ findings: [], failed: [] });
  });

  test("refuses a document that the server has replaced", async () => {
    const server = await documentServer();
    const project = new Project(server);
    await project.update();
    rmSync(path.join(project.cwd, "specs"), { recursive: true });
    server.document = shop("20240202");
    const { failed, findings } = await project.ensure();
    expect(failed).toEqual(["shop:v1"]);
    expect(findings).toEqual([
      expect.stringMatching(
        /^lock-mismatch .* no longer returns the locked document \(revision 20240101\)/,
      ),
    ]);
    expect(project.state().document).toBeUndefined();
  });

  test.each<[string, (project: Project) => void, RegExp]>([
    [
      "an edited document",
      (project) =>
        writeFileSync(
          path.join(project.cwd, SHOP.file),
          JSON.stringify(shop("1")),
        ),
      /does not match the digest in gen\.lock\.json/,
    ],
    [
      "a damaged document",
      (project) => writeFileSync(path.join(project.cwd, SHOP.file), "{"),
      /can't be compared/,
    ],
    [
      "a folder",
      (project) => {
        rmSync(path.join(project.cwd, SHOP.file));
        mkdirSync(path.join(project.cwd, SHOP.file));
      },
      /can't be compared .*folder/,
    ],
  ])("refuses %s", async (_, change, message) => {
    const project = new Project(await documentServer());
    await project.update();
    change(project);
    for (const isFrozen of [false, true]) {
      const { failed, findings } = await project.ensure({ isFrozen });
      expect(failed).toEqual(["shop:v1"]);
      expect(findings).toEqual([expect.stringMatching(/^lock-mismatch/)]);
      expect(findings[0]).toMatch(message);
    }
  });

  test("needs a lock only if frozen", async () => {
    const project = new Project(await documentServer());
    await project.update();
    rmSync(path.join(project.cwd, "gen.lock.json"));
    expect((await project.ensure()).findings).toEqual([]);
    expect(project.state().lock).toBeUndefined();
    const { failed, findings } = await project.ensure({ isFrozen: true });
    expect(failed).toEqual(["shop:v1"]);
    expect(findings).toEqual([
      expect.stringMatching(/^lock-mismatch .*does not contain this API/),
    ]);
  });

  test("refuses another source than that of the lock", async () => {
    const project = new Project(await documentServer());
    await project.update();
    const { findings } = await project.ensure({}, [
      { ...SHOP, source: "https://other.example/" },
    ]);
    expect(findings).toEqual([
      expect.stringMatching(
        /^lock-mismatch .*the source in gen\.lock\.json, http/,
      ),
    ]);
  });

  test("notices an edit after the digest was recorded", async () => {
    const project = new Project(await documentServer());
    await project.update();
    const file = path.join(project.cwd, SHOP.file);
    const old = new Date(Date.now() - 60_000);
    utimesSync(file, old, old);
    expect((await project.ensure()).findings).toEqual([]);
    const text = project.text(SHOP.file)!;
    writeFileSync(file, text.replace("Thing", "Thong"));
    utimesSync(file, old, old);
    expect((await project.ensure()).findings).toHaveLength(1);
  });

  test("without network uses the cache, or reports what is missing", async () => {
    const server = await documentServer();
    const project = new Project(server);
    await project.update();
    const before = project.state();
    rmSync(path.join(project.cwd, "specs"), { recursive: true });
    const { length } = server.requests;
    expect((await project.ensure({ isOffline: true })).findings).toEqual([]);
    expect(server.requests).toHaveLength(length);
    expect(project.state()).toEqual(before);
    const other = new Project(await documentServer());
    expect((await other.ensure({ isOffline: true })).findings).toEqual([
      expect.stringMatching(/^remote-offline/),
    ]);
    expect(other.state()).toEqual({});
  });

  test("reports a missing document if it must not change files", async () => {
    const project = new Project(await documentServer());
    for (const option of [{ isFrozen: true }, { isReadOnly: true }])
      expect(await project.ensure(option)).toMatchObject({
        failed: ["shop:v1"],
        findings: [expect.stringMatching(/^document-missing/)],
      });
    expect(project.state()).toEqual({});
  });
});

describe("responses", () => {
  test.each<[string, string | Buffer, Record<string, string>, RegExp]>([
    [
      "a login page",
      "\n<!doctype html><html>",
      { "content-type": "text/html; charset=utf-8" },
      /remote-response .*page \(text\/html\)/,
    ],
    ["XML", "<?xml?>", {}, /page \(HTML or XML\)/],
    [
      "an error with status 200",
      '{"error":{"code":403,"message":"quota"}}',
      {},
      /kind-error-response .*403 quota/,
    ],
    ["half a document", JSON.stringify(shop()).slice(0, 50), {}, /json-syntax/],
    ["an array", "[]", {}, /kind-wrong/],
    ["OpenAPI", '{"openapi":"3.0.0"}', {}, /kind-openapi/],
    ["binary data", Buffer.from([0x1f, 0x8b, 0, 0xff]), {}, /json-binary/],
    ["nothing", "", {}, /json-empty/],
  ])("%s", async (_, body, headers, message) => {
    const server = await documentServer();
    server.respond = (_request, response) =>
      void response.writeHead(200, headers).end(body);
    const project = new Project(server);
    const { findings } = await project.update();
    expect(findings.join("\n")).toMatch(message);
    expect(project.state()).toEqual({});
    server.respond = undefined;
    expect((await project.update()).findings).toEqual([]);
  });

  test("with a credential of the request are refused", async () => {
    const server = await documentServer();
    const secret = "hunter2-hunter2";
    server.document = { ...shop(), description: `Token ${secret}` };
    const project = new Project(server);
    const host = server.origin;
    const { findings } = await project.update({
      environment: {
        env: {
          GEN_TOKEN: secret,
          GEN_HEADERS: JSON.stringify({
            [host]: { authorization: "Bearer env:GEN_TOKEN" },
          }),
        },
      },
    });
    expect(findings).toEqual([
      expect.stringMatching(/^remote-response .*contains a credential/),
    ]);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
      [`Bearer ${secret}`, `Bearer ${secret}`],
    );
    expect(JSON.stringify([findings, project.state()])).not.toContain(secret);
  });

  test("of a host whose variable is missing are reported, others are fetched", async () => {
    const [server, other] = [await documentServer(), await documentServer()];
    const project = new Project(server);
    const host = other.origin;
    const source = `${other.origin}/discovery/v1/apis/shop/v1/rest`;
    const headers = { [host]: { authorization: "Bearer env:GEN_NONE" } };
    const apis = [SHOP, { id: "b:v1", file: "specs/b.v1.json", source }];
    const { findings, updates } = await project.update({ headers }, apis);
    expect(updates?.map(({ id }) => id)).toEqual(["shop:v1"]);
    expect(findings).toEqual([
      `remote-header b:v1: ${source}: headers of ${host}: authorization: GEN_NONE is not set`,
    ]);
    expect(other.requests).toEqual([]);
  });

  test("that are not modified come from the cache", async () => {
    const server = await documentServer();
    const project = new Project(server);
    await project.update();
    server.requests.length = 0;
    await project.update();
    expect(
      server.requests.map(({ headers }) => typeof headers["if-none-match"]),
    ).toEqual(["string", "string"]);
  });

  test("with 304 for another version are requested again", async () => {
    const server = await documentServer();
    const project = new Project(server);
    await project.update();
    server.document = shop("20240202");
    const text = JSON.stringify(server.document);
    let isFirst = true;
    server.respond = (_request, response) => {
      if (isFirst) response.writeHead(304, { etag: '"other"' }).end();
      else
        response
          .writeHead(200, { "content-encoding": "gzip" })
          .end(gzipSync(text));
      isFirst = false;
    };
    expect((await project.update()).updates).toMatchObject([
      { latest: "20240202" },
    ]);
  });
});
