import { renameSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { shop, startDirectory, until } from "./directory-support.js";

const LIST = "/discovery/v1/apis";
const REST = `${LIST}/shop/v1/rest`;

it("shows what is added, changed, renamed and removed", async () => {
  const { get, json, write, folder } = await startDirectory();
  expect((await get(REST)).status).toBe(404);
  write("shop.json", shop());
  await until(async () => (await get(REST)).ok, "added");
  const before = await get(REST);
  write("shop.json", shop({ title: "New" }));
  const titleOf = async (): Promise<unknown> =>
    ((await json(`${LIST}?name=shop`)) as { items: { title: string }[] })
      .items?.[0]?.title;
  await until(async () => (await titleOf()) === "New", "changed");
  const after = await get(REST);
  expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
  expect(await after.json()).toMatchObject({ title: "New" });
  write("below/deep/other.json", shop({ name: "other", id: "other:v1" }));
  await until(
    async () => (await get(`${LIST}/other/v1/rest`)).ok,
    "added in a new folder",
  );
  renameSync(path.join(folder, "shop.json"), path.join(folder, "b.json"));
  write("b.json", shop({ title: "Renamed" }));
  await until(async () => (await titleOf()) === "Renamed", "renamed");
  rmSync(path.join(folder, "b.json"));
  await until(async () => (await get(REST)).status === 404, "removed");
  expect((await get(`${LIST}/other/v1/rest`)).status).toBe(200);
});

it("serves the last valid version of an invalid file until it is valid again", async () => {
  const { get, log, write } = await startDirectory({ "shop.json": shop() });
  expect(await (await get(REST)).json()).toEqual(shop());
  const text = JSON.stringify(shop({ title: "New" }));
  for (const bad of [text.slice(0, text.length / 2), "", '{"openapi":"3"}']) {
    const count = log.length;
    write("shop.json", bad);
    await until(() => log.length > count, "a report");
    expect(log.at(-1)).toMatchObject({
      event: "document-refused",
      file: "shop.json",
      served: "the last valid version",
    });
    expect(await (await get(REST)).json()).toEqual(shop());
    const list = await (await get(`${LIST}?name=shop`)).text();
    expect(list).toContain('"shop:v1"');
  }
  write("shop.json", text);
  await until(async () => (await (await get(REST)).text()) === text, "good");
});

it("serves a duplicate after the first document was deleted", async () => {
  const { get, folder } = await startDirectory({
    "a.json": shop(),
    "b.json": shop({ title: "Twin" }),
  });
  expect(await (await get(REST)).json()).toMatchObject({ title: "Shop API" });
  rmSync(path.join(folder, "a.json"));
  await until(async () => {
    const answer = await get(REST);
    return answer.ok && (await answer.text()).includes("Twin");
  }, "the twin");
});

it("continues to serve while the folder is missing", async () => {
  const { get, log, folder } = await startDirectory({ "shop.json": shop() });
  expect((await get(REST)).status).toBe(200);
  const away = `${folder}-away`;
  renameSync(folder, away);
  onTestFinished(() => rmSync(away, { recursive: true, force: true }));
  await until(
    () => log.some(({ event }) => event === "folder-fault"),
    "a report",
  );
  expect((await get(REST)).status).toBe(200);
  const list = await (await get(LIST)).text();
  expect(list).toContain('"shop:v1"');
  renameSync(away, folder);
  rmSync(path.join(folder, "shop.json"));
  await until(async () => (await get(REST)).status === 404, "removed");
});
