import { expect, it } from "vitest";
import {
  operation,
  type OperationCall,
} from "../../../src/runtime/client/operation.js";
import { jsonBody } from "../../../src/runtime/client/index.js";
import { client, failure, json, make, recorder } from "./helpers.js";

const fast = { interval: 1 };
const start = make<OperationCall<any, any>>({
  httpMethod: "POST",
  path: "v1/things",
  use: [operation({ poll: "v1/{+name}" })],
});
const insert = make<OperationCall<any, any>>({
  httpMethod: "POST",
  path: "projects/{project}/zones/{zone}/instances",
  body: jsonBody,
  use: [
    operation({
      poll: "projects/{project}/zones/{zone}/operations/{operation}",
      name: "operation",
      query: ["parentId"],
    }),
  ],
});

it("polls until the operation is done and resolves to the response", async () => {
  const { sent, fetch } = recorder(
    json({ name: "operations/1" }),
    json({ name: "operations/1", metadata: { progress: 5 } }),
    json({ name: "operations/1", done: true, response: { a: 1 } }),
  );
  const seen: unknown[] = [];
  const onProgress = (state: unknown) => void seen.push(state);
  const call = start(client(fetch), { x: 1 });
  expect(await call.wait({ ...fast, onProgress })).toEqual({ a: 1 });
  expect(sent.map(({ init, target }) => `${init.method} ${target}`)).toEqual([
    "POST /drive/v3/v1/things?x=1",
    "GET /drive/v3/v1/operations/1",
    "GET /drive/v3/v1/operations/1",
  ]);
  expect(seen).toMatchObject([{}, { metadata: { progress: 5 } }, {}]);
  expect(await call).toEqual({ name: "operations/1" });
});

it("resolves to an operation with a status, polled by its path variables", async () => {
  const zone = "https://host/compute/v1/projects/p/zones/z";
  const { sent, fetch } = recorder(
    json({ name: "op", status: "PENDING", zone }),
    json({ name: "op", status: "DONE", zone }),
  );
  const call = insert(client(fetch), {
    project: "p",
    zone: "z",
    requestId: 1,
    parentId: "f",
    key: "k",
    requestBody: {},
  });
  expect(await call.wait(fast)).toMatchObject({ status: "DONE" });
  expect(sent[1]?.target).toBe(
    "/drive/v3/projects/p/zones/z/operations/op?key=k&parentId=f",
  );
});

it.each([
  [{ done: true, error: { code: 7, message: "no" } }, { serverCode: "7" }],
  [
    { status: "DONE", error: { errors: [{ code: "X", message: "no" }] } },
    { errors: [{ code: "X", message: "no" }] },
  ],
])("rejects for %j", async (state, facts) => {
  const error = await failure(
    start(client(recorder(json(state)).fetch)).wait(),
  );
  expect(error).toMatchObject({ kind: "operation", ...facts });
  expect(error.message).toContain("no");
});

it("stops by signal and timeout, and rejects with the error of the call", async () => {
  const busy = () => json({ name: "operations/1" });
  const endless = client(async () => busy());
  expect(
    await failure(start(endless).wait({ ...fast, timeout: 20 })),
  ).toMatchObject({ kind: "timeout" });
  const signal = AbortSignal.timeout(20);
  expect(await failure(start(endless).wait({ signal }))).toMatchObject({
    kind: "abort",
  });
  const bad = client(async () => json({}, { status: 403 }));
  expect(await failure(start(bad).wait())).toMatchObject({ status: 403 });
});
