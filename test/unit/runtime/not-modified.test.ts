import { expect, it } from "vitest";
import { orNotModified } from "../../../src/runtime/client/not-modified.js";
import { client, json, make, recorder } from "./helpers.js";

const get = make({ path: "files/{id}" });
const unchanged = (): Response => new Response(null, { status: 304 });

it("resolves to undefined for 304 in every form of a call", async () => {
  const { fetch } = recorder(unchanged(), unchanged());
  const one = client(fetch);
  expect(await orNotModified(get(one, { id: 1 }))).toBeUndefined();
  const call = get(one, { id: 1 });
  expect(await orNotModified(call.withResponse())).toBeUndefined();
});

it("resolves to the value and rejects with other errors", async () => {
  const { fetch } = recorder(json({ id: "1" }), json({}, { status: 404 }));
  const one = client(fetch);
  expect(await orNotModified(get(one, { id: 1 }))).toEqual({ id: "1" });
  await expect(orNotModified(get(one, { id: 1 }))).rejects.toMatchObject({
    status: 404,
  });
});

it("sends parameters that the description does not declare", async () => {
  const { sent, fetch } = recorder();
  const query = { debug: true, tag: ["a", "b"], none: undefined, nil: null };
  await get(client(fetch), { id: 1, x: 1 }, { query: { ...query, x: 2 } });
  expect(sent[0]!.target).toBe("/drive/v3/files/1?debug=true&tag=a&tag=b&x=1");
});
