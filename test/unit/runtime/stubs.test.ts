import { mock } from "node:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { bind } from "../../../src/runtime/client/index.js";
import { client, json, recorder } from "./helpers.js";

// docs/moving-from-googleapis.md and docs/client.md promise these replacements.
describe("methods of a client can be replaced in tests", () => {
  afterEach(() => {
    vi.restoreAllMocks();
    mock.restoreAll();
  });

  const setUp = () => {
    const { sent, fetch } = recorder(json({ id: "sent" }));
    const { files } = bind(client(fetch), "drive.", {
      files: { get: ["GET", "files/{fileId}"] },
    });
    return { sent, files };
  };

  it("by vi.spyOn", async () => {
    const { sent, files } = setUp();
    const spy = vi.spyOn(files, "get").mockResolvedValue({ id: "stub" });
    expect(await files.get({ fileId: "a" })).toEqual({ id: "stub" });
    expect(spy).toHaveBeenCalledWith({ fileId: "a" });
    expect(sent).toEqual([]);
    spy.mockRestore();
    expect(await files.get({ fileId: "a" })).toEqual({ id: "sent" });
  });

  it("by mock.method of node:test", async () => {
    const { sent, files } = setUp();
    mock.method(files, "get", async () => ({ id: "stub" }));
    expect(await files.get({ fileId: "a" })).toEqual({ id: "stub" });
    expect(sent).toEqual([]);
    mock.restoreAll();
    expect(await files.get({ fileId: "a" })).toEqual({ id: "sent" });
  });

  it("by an assignment, as jest.spyOn does", async () => {
    const { sent, files } = setUp();
    const original = files.get;
    files.get = async () => ({ id: "stub" });
    expect(await files.get({ fileId: "a" })).toEqual({ id: "stub" });
    expect(sent).toEqual([]);
    files.get = original;
    expect(await files.get({ fileId: "a" })).toEqual({ id: "sent" });
  });
});
