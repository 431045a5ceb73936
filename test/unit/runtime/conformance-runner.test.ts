import { afterEach, expect, it, vi } from "vitest";
import { register } from "../../../src/runtime/conformance/runner.js";

const ran: string[] = [];
const check = (name: string) => ({
  name,
  run: async () => {
    ran.push(name);
    return [];
  },
});

// Vitest runs it as a test of its own, although the promise is not awaited.
void register("demo:v1", [check("registered with Vitest")] as never);

afterEach(() => vi.unstubAllGlobals());

it("was registered before this test", () => {
  expect(ran).toEqual(["registered with Vitest"]);
});

it("uses the global test of other runners immediately", async () => {
  const test = vi.fn<(name: string, run: () => Promise<void>) => void>();
  vi.stubGlobal("test", test);
  expect(register("demo:v1", [check("a")] as never)).toBeUndefined();
  expect(test.mock.calls[0]![0]).toBe("demo:v1: a");
});

it("fails with the differences found by a check", async () => {
  const test = vi.fn<(name: string, run: () => Promise<void>) => void>();
  vi.stubGlobal("test", test);
  const found = Array.from({ length: 22 }, (_, index) => ({
    method: `m${index}`,
    transport: "memory",
    where: "result",
    expected: 1,
    actual: 2,
  }));
  void register("demo:v1", [{ name: "a", run: async () => found }] as never);
  await expect(test.mock.calls[0]![1]()).rejects.toThrow("… 2 more");
});
