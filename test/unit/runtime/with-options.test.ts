import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { batches } from "../../../src/runtime/client/batch.js";
import { bindClient } from "../../../src/runtime/client/bind.js";
import { withCredential } from "../../../src/runtime/client/credential.js";
import {
  createClient,
  withOptions,
} from "../../../src/runtime/client/index.js";
import { client, failure, fullClient, make, recorder } from "./helpers.js";

const path = "/drive/v3/files";

describe.each([
  ["a bare client", client],
  ["a full client", fullClient],
])("%s", (_, create) => {
  it("is derived with other credentials, headers and parameters", async () => {
    const { sent, fetch } = recorder();
    const root = create(fetch, {
      auth: "a",
      apiKey: "k",
      headers: { "x-a": "1", "x-b": "1" },
      parameters: { quotaUser: "u", fields: "*" },
    });
    const tenant = withOptions(root, {
      auth: "b",
      apiKey: undefined,
      quotaProject: "p",
      headers: { "X-B": "2" },
      parameters: { fields: "id" },
    });
    const other = withOptions(tenant, { auth: () => null, headers: {} });
    for (const api of [tenant, other, root]) await make()(api);
    const own = { "x-a": "1", "x-b": "2", "x-goog-user-project": "p" };
    expect(sent.map(({ headers }) => headers)).toEqual([
      { ...own, authorization: "Bearer b" },
      own,
      { "x-a": "1", "x-b": "1", authorization: "Bearer a" },
    ]);
    expect(sent.map(({ target }) => target)).toEqual([
      `${path}?quotaUser=u&fields=id&key=k`,
      `${path}?quotaUser=u&fields=id&key=k`,
      `${path}?quotaUser=u&fields=*&key=k`.replace("*", "%2A"),
    ]);
  });

  it("is derived with another timeout", async () => {
    const fetch = (_: string, { signal }: RequestInit) =>
      new Promise<Response>((__, reject) =>
        signal!.addEventListener("abort", () => reject(signal!.reason)),
      );
    const api = withOptions(create(fetch, { timeout: 60_000 }), { timeout: 5 });
    expect(await failure(make()(api))).toMatchObject({ kind: "timeout" });
  });

  it.each(["rootUrl", "transport", "fetch", "location", "mtls"])(
    "is not derived with another %s",
    (name) => {
      const api = create(recorder().fetch);
      expect(() => withOptions(api, { [name]: "x" })).toThrow(
        `${name} can't be changed: create another client`,
      );
    },
  );

  it("does not show its options", () => {
    const root = create(recorder().fetch, { auth: "s3cret" });
    const api = withOptions(root, { auth: "s3cret", headers: { a: "s3cret" } });
    expect(inspect(api, { depth: 9 }) + JSON.stringify(api)).not.toContain(
      "s3cret",
    );
  });
});

it("adds retry settings and interceptors", async () => {
  const order: string[] = [];
  const named = (name: string) => async (request: any, next: any) => {
    order.push(name);
    return next(request);
  };
  const retries: number[] = [];
  const busy = () => new Response("", { status: 503 });
  const { fetch } = recorder(busy, busy, busy);
  const root = fullClient(fetch, {
    retry: { delay: 1, onRetry: ({ attempt }) => retries.push(attempt) },
    interceptors: [named("a")],
  });
  const api = withOptions(root, {
    retry: { attempts: 2 },
    interceptors: [named("b")],
  });
  await failure(make()(api, {}, { interceptors: [named("c")] }));
  expect(order).toEqual(["a", "b", "c", "a", "b", "c"]);
  expect(retries).toEqual([1]);
  await failure(make()(withOptions(root, { retry: false })));
  expect(retries).toEqual([1]);
});

it("keeps the position of credentials", async () => {
  const { sent, fetch } = recorder();
  const service = { rootUrl: "https://api.example.com/", servicePath: "" };
  for (const auth of ["a", undefined]) {
    const settings = withCredential({ auth, fetch }, { name: "X-Key" });
    await make()(withOptions(createClient(service, settings), { auth: "b" }));
  }
  expect(sent.map(({ headers }) => headers)).toEqual([
    { "x-key": "b" },
    { "x-key": "b" },
  ]);
});

describe("a client object", () => {
  const tree = {
    files: { get: ["GET", "files/{fileId}"], list: ["GET", "files"] },
    about: ["GET", "about"],
  };
  const create = (options: object) => {
    const { sent, fetch } = recorder();
    const api = fullClient(fetch, options, { batchPath: "batch" });
    return { sent, drive: bindClient(api, "drive.", tree, batches) };
  };

  it("derives clients with with()", async () => {
    const { sent, drive } = create({ auth: "a", retry: false });
    const tenant = drive.with({ auth: "b", headers: { "x-t": "1" } });
    expect(Object.keys(tenant)).toEqual(Object.keys(drive));
    await tenant.files.get({ fileId: "1" });
    await drive.files.get({ fileId: "1" });
    await tenant.with({ auth: "c" }).about();
    await failure(tenant.batch([tenant.files.list()]));
    expect(sent.map(({ headers }) => headers)).toMatchObject([
      { authorization: "Bearer b", "x-t": "1" },
      { authorization: "Bearer a" },
      { authorization: "Bearer c", "x-t": "1" },
      { authorization: "Bearer b", "x-t": "1" },
    ]);
    expect(await failure(drive.batch([tenant.files.list()]))).toMatchObject({
      kind: "request",
    });
  });

  it("binds a resource once, when it is read", () => {
    const { drive } = create({});
    const { files } = drive;
    expect(drive.files).toBe(files);
    expect({ ...drive }.files).toBe(files);
    const spy = vi.spyOn(drive.files, "get").mockReturnValue("fake");
    expect(drive.files.get()).toBe("fake");
    expect(spy).toHaveBeenCalledOnce();
  });

  it("has members of the API instead of its own methods", () => {
    const tree = { with: ["GET", "a"], batch: { get: ["GET", "b"] } };
    const api = fullClient(recorder().fetch);
    const client = bindClient(api, "demo.", tree, batches);
    expect(client.with.descriptor.id).toBe("demo.with");
    expect(client.batch.get.descriptor.id).toBe("demo.batch.get");
  });
});
