import { expect, test } from "vitest";
import type { ServerRequest } from "../../../src/runtime/server/request.js";
import { parseContentRange } from "../../../src/runtime/server/uploads/content-range.js";
import { writeContent } from "../../../src/runtime/server/responses/download.js";
import { readHeaderLines } from "../../../src/runtime/server/bodies/header-lines.js";

test("empty content, as the official Python client sends it", () => {
  const wanted = { start: 0, last: undefined, total: 0, isWhole: true };
  expect(parseContentRange("bytes 0--1/0")).toEqual(wanted);
  for (const bad of ["bytes 0--1/5", "bytes 1--1/0", "bytes 0--1/*"])
    expect(() => parseContentRange(bad)).toThrow("Invalid Content-Range");
});

test("folded header lines", () => {
  const headers = readHeaderLines([
    "  lost: no line to continue",
    "Content-ID: <0 +",
    " 1>",
    "\tand more",
    "no header at all",
    " goes with nothing",
    ": nor this",
    "X-Empty:",
    "  filled",
  ]);
  expect([...headers]).toEqual([
    ["content-id", "<0 + 1> and more"],
    ["x-empty", "filled"],
  ]);
});

test("the first range of empty content is empty; a range beyond it is an error", () => {
  const asking = (range: string): ServerRequest =>
    ({
      header: (name) => (name === "range" ? range : undefined),
    }) as ServerRequest;
  const body = new Uint8Array();
  const answer = writeContent({ body }, asking("bytes=0-1023"));
  expect([answer.status, answer.headers["content-length"]]).toEqual([200, "0"]);
  expect(() => writeContent({ body }, asking("bytes=1-"))).toThrow("beyond");
});
