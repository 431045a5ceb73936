import { expect, test } from "vitest";
import { RunningRequests } from "../../src/services/chat/admission.js";
import { scanJson } from "../../src/services/chat/json-scan.js";
import { countTokens, tokensOf } from "../../src/services/chat/tokens.js";

test("aborts running completions when the service closes", async () => {
  const active = new RunningRequests();
  const caller = new AbortController();
  const { signal } = active.start(caller.signal);
  const done = active.start(caller.signal);
  done.end();
  expect(active.size).toBe(1);
  await active.close(10);
  expect(signal.aborted).toBe(true);
  expect(done.signal.aborted).toBe(false);
});

test("does not count a completion after its caller disconnected", async () => {
  const active = new RunningRequests();
  const caller = new AbortController();
  const { signal } = active.start(caller.signal);
  caller.abort();
  expect(signal.aborted).toBe(true);
  expect(active.size).toBe(0);
  expect(active.start(caller.signal).signal.aborted).toBe(true);
  await active.close(60_000);
});

test("splits text into tokens without loss, and counts them equally", () => {
  const texts = [
    "",
    " ",
    "a",
    " a  b ",
    `${"x".repeat(300)} ${" ".repeat(200)}`,
  ];
  for (const text of [
    ...texts,
    "😀".repeat(99),
    "\ud800 \udc00",
    "a\nb\u2028c",
  ]) {
    const tokens = [...tokensOf(text)];
    expect(tokens.join("")).toBe(text);
    expect(countTokens(text)).toBe(tokens.length);
    expect(tokens.every((token) => token !== "" && token.length <= 192)).toBe(
      true,
    );
  }
});

test.each([
  ['{"a":1,"a":2}', "a"],
  ['{"a":{"b":[0,{"c":1,"d":{},"c":2}]}}', "a.b[1].c"],
  ['{"a":"\\"a\\":","b":{"a":1},"c":[{"a":1},{"a":2}]}', undefined],
  ['{"":1,"\\u0000":2,"__proto__":3}', undefined],
  ['{"__proto__":1,"__proto__":2}', "__proto__"],
  ['["a","a",{"a":"a"}]', undefined],
  ["{}", undefined],
])("%s: the duplicate key is %s", (text, twice) => {
  expect(() => JSON.parse(text) as unknown).not.toThrow();
  expect(scanJson(text).duplicateKey).toBe(twice);
});

test("finds the values of top-level members", () => {
  const text = '{ "a" : [1,{"b":2}] ,"b":"x\\"}" , "c":-1e5}';
  const { members } = scanJson(text);
  const value = JSON.parse(text) as Record<string, unknown>;
  expect([...members.keys()]).toEqual(Object.keys(value));
  for (const [name, { from, to }] of members)
    expect(JSON.parse(text.slice(from, to))).toEqual(value[name]);
});
