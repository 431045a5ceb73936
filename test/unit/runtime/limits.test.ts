import { afterEach, describe, expect, it, vi } from "vitest";
import { fullClient, failure, json, later, make, recorder } from "./helpers.js";

const never = () => new Promise<never>(() => {});

/** Fetch that never responds but obeys the signal like the real one. */
const obedient = (_: string, { signal }: RequestInit) =>
  new Promise<never>((_, reject) =>
    signal!.addEventListener("abort", () => reject(signal!.reason)),
  );

afterEach(() => {
  vi.restoreAllMocks();
});

describe("timeout", () => {
  it.each([
    ["obeys", obedient],
    ["does not obey", never],
  ])("ends a fetch that %s", async (_, fetch) => {
    const error = await failure(make()(fullClient(fetch), {}, { timeout: 10 }));
    expect(error).toMatchObject({
      kind: "timeout",
      url: "https://api.example.com/drive/v3/files",
      cause: { name: "TimeoutError" },
    });
    expect(error.message).toContain("10 ms");
  });

  it("covers credentials and the reading of the body", async () => {
    const { sent, fetch } = recorder(new Response(new ReadableStream()));
    const waiting = make()(fullClient(fetch, { auth: never, timeout: 10 }));
    expect(await failure(waiting)).toMatchObject({ kind: "timeout" });
    expect(sent).toHaveLength(0);
    const reading = make()(fullClient(fetch, { timeout: 10 }));
    expect(await failure(reading)).toMatchObject({
      kind: "timeout",
      status: 200,
    });
  });

  it("of the call overrides the client's; 0 means none", async () => {
    const slow = () => later(30, json({ a: 1 }));
    const { fetch } = recorder(slow, slow, slow);
    const impatient = fullClient(fetch, { timeout: 5 });
    expect(await make()(impatient, {}, { timeout: 1000 })).toEqual({ a: 1 });
    expect(await make()(impatient, {}, { timeout: 0 })).toEqual({ a: 1 });
    expect(await make()(impatient, {}, { timeout: Infinity })).toEqual({
      a: 1,
    });
  });

  it("clears its timer", async () => {
    const set = vi.spyOn(globalThis, "setTimeout");
    const clear = vi.spyOn(globalThis, "clearTimeout");
    const { fetch } = recorder();
    await make()(fullClient(fetch, { timeout: 5000 }));
    expect(set).toHaveBeenCalledOnce();
    expect(clear).toHaveBeenCalledWith(set.mock.results[0]?.value);
  });
});

describe("signal", () => {
  it("aborts a call with its reason as cause", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const call = make()(fullClient(never), {}, { signal });
    await later(1);
    controller.abort("because");
    const error = await failure(call);
    expect(error).toMatchObject({ kind: "abort", cause: "because" });
    expect(error.message).toBe("drive.files.list: because");
  });

  it("that is already aborted prevents sending", async () => {
    const { sent, fetch } = recorder();
    const auth = vi.fn(() => "t");
    const signal = AbortSignal.abort();
    const call = make()(fullClient(fetch, { auth }), {}, { signal });
    const error = await failure(call);
    expect(error).toMatchObject({
      kind: "abort",
      cause: { name: "AbortError" },
    });
    expect(sent).toHaveLength(0);
    expect(auth).not.toHaveBeenCalled();
  });

  it("of AbortSignal.timeout() is an error of kind timeout", async () => {
    const call = make()(
      fullClient(obedient),
      {},
      { signal: AbortSignal.timeout(5) },
    );
    expect(await failure(call)).toMatchObject({ kind: "timeout" });
  });

  it("works together with a timeout", async () => {
    const controller = new AbortController();
    const options = { signal: controller.signal, timeout: 1000 };
    const aborted = make()(fullClient(never), {}, options);
    setTimeout(() => controller.abort(), 5);
    expect(await failure(aborted)).toMatchObject({ kind: "abort" });
    const { signal } = new AbortController();
    const late = make()(fullClient(never), {}, { signal, timeout: 5 });
    expect(await failure(late)).toMatchObject({ kind: "timeout" });
  });

  it("has no listener after the call", async () => {
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, "addEventListener");
    const remove = vi.spyOn(signal, "removeEventListener");
    await make()(fullClient(recorder().fetch), {}, { signal });
    expect(add).toHaveBeenCalledOnce();
    expect(remove).toHaveBeenCalledWith(...add.mock.calls[0]!.slice(0, 2));
  });

  it("is passed to fetch", async () => {
    const controller = new AbortController();
    let seen: AbortSignal | null | undefined;
    const call = make()(
      fullClient((url, init) => {
        seen = init.signal;
        return obedient(url, init);
      }),
      {},
      { signal: controller.signal },
    );
    await later(1);
    controller.abort();
    expect(await failure(call)).toMatchObject({ kind: "abort" });
    expect(seen?.aborted).toBe(true);
  });
});
