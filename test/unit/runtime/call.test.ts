import { execFileSync } from "node:child_process";
import { buildSync } from "esbuild";
import { describe, expect, it, vi } from "vitest";
import {
  type Call,
  type PendingCall,
} from "../../../src/runtime/client/index.js";
import { client, failure, json, later, make, recorder } from "./helpers.js";

describe("a call", () => {
  it("is sent in the next microtask, not before", async () => {
    const { sent, fetch } = recorder();
    make()(client(fetch), {});
    expect(sent).toHaveLength(0);
    await Promise.resolve();
    await later(0);
    expect(sent).toHaveLength(1);
  });

  it("is one request, even if awaited several times", async () => {
    const { sent, fetch } = recorder(json({ a: 1 }));
    const call = make()(client(fetch));
    const value = await call;
    const { data, response } = await call.withResponse();
    expect(value).toEqual({ a: 1 });
    expect(data).toBe(value);
    expect(response.status).toBe(200);
    expect(await call).toBe(value);
    expect(await Promise.all([call, call.then((v) => v)])).toEqual([
      value,
      value,
    ]);
    expect(sent).toHaveLength(1);
  });

  it("shares the request also if withResponse() is called first", async () => {
    const { sent, fetch } = recorder();
    const call = make()(client(fetch));
    const [answer, value] = await Promise.all([call.withResponse(), call]);
    expect(answer.data).toBe(value);
    expect(sent).toHaveLength(1);
  });

  it("has the methods of a promise", async () => {
    const promise: Promise<unknown> = make()(client(recorder().fetch));
    const end = vi.fn();
    expect(await promise.finally(end)).toEqual({});
    expect(await promise.then(null, null)).toEqual({});
    expect(end).toHaveBeenCalledOnce();
    const broken = make({ path: "{id}" })(client(recorder().fetch));
    expect(await broken.catch((error: Error) => error.name)).toBe("ApiError");
    expect(await broken.then(undefined, () => 7)).toBe(7);
    expect(await failure(broken.finally(end))).toMatchObject({
      kind: "request",
    });
    expect(end).toHaveBeenCalledTimes(2);
  });

  it("keeps its descriptor, and features add members in order", async () => {
    const seen: unknown[] = [];
    const feature = (call: PendingCall, invocation: object) => {
      seen.push(call, invocation);
      return { twice: () => call.then((v) => [v, v]) };
    };
    const twice = make<Call<object> & { twice(): Promise<object[]> }>({
      use: [feature],
    });
    expect(twice.descriptor).toEqual({
      id: "drive.files.list",
      path: "files",
      use: [feature],
    });
    const call = twice(client(recorder().fetch), { a: 1 });
    expect(await call.twice()).toEqual([{}, {}]);
    expect(seen[0]).toBe(call);
    expect(seen[1]).toMatchObject({ parameters: { a: 1 }, options: {} });
  });

  it("can be taken and started with another function", async () => {
    const { sent, fetch } = recorder();
    const call = make()(client(fetch), { a: 1 }) as unknown as PendingCall;
    const response = json({});
    const run = vi.fn(async () => ({ data: "batched", response }));
    void call.start(run);
    expect(await call).toBe("batched");
    expect(await call.withResponse()).toEqual({ data: "batched", response });
    expect(run).toHaveBeenCalledWith(
      expect.objectContaining({ parameters: { a: 1 } }),
    );
    expect(sent).toHaveLength(0);
  });
});

describe("unhandled rejections", () => {
  const { outputFiles } = buildSync({
    entryPoints: ["src/runtime/client/index.ts"],
    bundle: true,
    format: "esm",
    write: false,
  });
  const runtime = outputFiles[0]!.text;

  /** Returns the number of unhandled rejections of `code` in a separate process. */
  function count(code: string): string {
    const program = `
      let unhandled = 0;
      process.on("unhandledRejection", () => unhandled++);
      const fetch = async () => { throw new TypeError("down"); };
      const service = { rootUrl: "https://a.example.com", servicePath: "" };
      const client = createBareClient(service, { fetch });
      const get = method({ id: "a.get", path: "b", use: [download, tokenPagination({ items: "i" })] });
      const quiet = () => {};
      ${code}
      setTimeout(() => console.log(unhandled), 20);`;
    const input = runtime + program;
    return execFileSync(process.execPath, ["--input-type=module", "-"], {
      input,
      encoding: "utf8",
    }).trim();
  }

  it.each<[string, string, string]>([
    ["never awaited", "get(client)", "1"],
    ["handled", "get(client).catch(quiet)", "0"],
    [
      "handled twice",
      "const c = get(client); c.catch(quiet); c.withResponse().catch(quiet)",
      "0",
    ],
    ["withResponse unhandled", "get(client).withResponse()", "1"],
    ["withResponse handled", "get(client).withResponse().catch(quiet)", "0"],
    ["media handled", "get(client).media().catch(quiet)", "0"],
    ["media unhandled", "get(client).media()", "1"],
    [
      "iteration handled",
      "try { for await (const i of get(client)) {} } catch {}",
      "0",
    ],
    ["pages never read", "get(client).pages()", "0"],
    [
      "rejected, never awaited",
      "method({ id: 'a', path: '{b}' })(client)",
      "1",
    ],
    [
      "timeout handled",
      "get(createBareClient(service, { timeout: 1, fetch: () => new Promise(quiet) })).catch(quiet)",
      "0",
    ],
    [
      "aborted before, never awaited",
      "get(client, {}, { signal: AbortSignal.abort() })",
      "1",
    ],
  ])("%s", (_, code, expected) => {
    expect(count(code)).toBe(expected);
  });
});
