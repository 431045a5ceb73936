import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { AdminClient } from "../../generated/admin/v1/index.js";
import { withAdmin } from "../../src/services/admin/connect.js";
import { AdminError, type LogLine } from "../../src/services/service.js";
import { temporaryFolder } from "../support/paths.js";
import { serve } from "./support.js";

/** Runs a command on a data folder. */
function command<T>(
  data: string,
  run: (admin: AdminClient) => PromiseLike<T>,
  log: LogLine[] = [],
): Promise<T> {
  return withAdmin(
    { data },
    (line) => log.push(line),
    async (admin) => run(admin),
  );
}

const owner = { username: "eve", email: "eve@example.com" };
const row = {
  name: "Thing",
  category: "Code",
  sub_category: "Things",
  version: "1.0",
  demo_link: "https://example.com/",
  media: { thumbnail: "https://e.com/t", preview_image: "https://e.com/p" },
  price: { regular: 1, extended: 2 },
  currency: "USD",
};

test("commands at the same time run in the server that has opened the folder", async () => {
  const data = temporaryFolder();
  const { running, log } = await serve({ data });
  await command(data, (admin) => admin.owners.create({ requestBody: owner }));
  const made = await Promise.all(
    Array.from({ length: 20 }, () =>
      command(data, (admin) =>
        admin.owners.keys.create({ owner: "eve", requestBody: {} }),
      ),
    ),
  );
  expect(new Set(made.map(({ id }) => id)).size).toBe(20);
  const audits = log.filter(({ event }) => event === "audit");
  expect(audits).toHaveLength(21);
  expect(audits[1]).toMatchObject({
    actor: expect.stringMatching(/^local user/),
    action: "admin.owners.keys.create",
  });
  await running.close();
  expect(existsSync(path.join(data, "admin.json"))).toBe(false);
  const own: LogLine[] = [];
  const { revoked } = await command(
    data,
    (admin) => admin.owners.keys.revoke({ owner: "eve", requestBody: {} }),
    own,
  );
  expect(revoked).toHaveLength(20);
  expect(own).toMatchObject([{ event: "audit", target: "eve" }]);
});

test("commands at the same time without a server wait for each other", async () => {
  const data = temporaryFolder();
  await command(data, (admin) => admin.owners.create({ requestBody: owner }));
  await Promise.all(
    Array.from({ length: 5 }, () =>
      command(data, (admin) =>
        admin.owners.keys.create({ owner: "eve", requestBody: {} }),
      ),
    ),
  );
  const { keys } = await command(data, (admin) =>
    admin.owners.keys.list({ owner: "eve" }),
  );
  expect(keys).toHaveLength(5);
});

test("the file of a killed server is not used, and the next server replaces it", async () => {
  const data = temporaryFolder();
  const file = path.join(data, "admin.json");
  const stale = '{"origin":"http://127.0.0.1:1","token":"old"}';
  writeFileSync(file, stale);
  await command(data, (admin) => admin.owners.create({ requestBody: owner }));
  await serve({ data });
  expect(readFileSync(file, "utf8")).not.toContain("old");
  if (process.platform !== "win32")
    expect(statSync(file).mode & 0o777).toBe(0o600);
  const { owners } = await command(data, (admin) => admin.owners.list({}));
  expect(owners).toHaveLength(1);
});

test("the port of a data folder needs its token and a loopback name", async () => {
  const data = temporaryFolder();
  const { running, log } = await serve({ data });
  const file = readFileSync(path.join(data, "admin.json"), "utf8");
  const { origin, token } = JSON.parse(file) as Record<string, string>;
  expect(new URL(origin!).hostname).toBe("127.0.0.1");
  const list = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${origin}/admin/v1/owners`, { headers });
  expect((await list({})).status).toBe(401);
  expect((await list({ authorization: "Bearer x" })).status).toBe(401);
  const authorization = `Bearer ${token}`;
  expect((await list({ authorization })).status).toBe(200);
  const other = await fetch(`${running.origin}/admin/v1/owners`, {
    headers: { authorization },
  });
  expect(other.status).toBe(404);
  expect(JSON.stringify(log)).not.toContain(token);
});

test("files of many megabytes are imported, larger ones and bodies are rejected", async () => {
  const data = temporaryFolder();
  await serve({ data });
  await command(data, (admin) => admin.owners.create({ requestBody: owner }));
  const load = (body: string): Promise<{ imported: number }> =>
    command(data, (admin) =>
      admin.owners.items.import(
        { owner: "eve", media: { body, mimeType: "application/json" } },
        { upload: "media" },
      ),
    );
  const description = "é".repeat(100_000);
  const rows = Array.from({ length: 100 }, () => ({ ...row, description }));
  expect(await load(JSON.stringify(rows))).toMatchObject({ imported: 100 });
  const large = load(" ".repeat(64 * 1024 * 1024 + 1));
  await expect(large).rejects.toThrow(/^media must not exceed 64MB/);
  const file = readFileSync(path.join(data, "admin.json"), "utf8");
  const { origin, token } = JSON.parse(file) as Record<string, string>;
  const sent = await fetch(
    `${origin}/upload/admin/v1/owners/eve/items:import?uploadType=media`,
    {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
      },
      body: " ".repeat(64 * 1024 * 1024 + 1),
    },
  ).then(
    ({ status }) => status,
    // The server closes the connection while the content is being sent.
    () => 413,
  );
  expect(sent).toBe(413);
  const body = command(data, (admin) =>
    admin.owners.create({
      requestBody: { ...owner, firstname: "x".repeat(2 * 1024 * 1024) },
    }),
  );
  await expect(body).rejects.toMatchObject({ status: 413 });
  const { owners } = await command(data, (admin) => admin.owners.list({}));
  expect(owners).toHaveLength(1);
});

test("a stopping server completes an open command, and does not wait for an incomplete one", async () => {
  const data = temporaryFolder();
  const { running } = await serve({ data, settings: "host: { grace: 3000 }" });
  await command(data, (admin) => admin.owners.create({ requestBody: owner }));
  const file = readFileSync(path.join(data, "admin.json"), "utf8");
  const { origin, token } = JSON.parse(file) as Record<string, string>;
  let end = (): void => {};
  const upload = (finish: Promise<void> | undefined): Promise<number> =>
    fetch(
      `${origin}/upload/admin/v1/owners/eve/items:import?uploadType=media`,
      {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
        },
        body: new ReadableStream({
          async start(controller) {
            controller.enqueue(new TextEncoder().encode("["));
            await finish;
            if (finish === undefined) return;
            const json = JSON.stringify({ ...row, description: "x" });
            controller.enqueue(new TextEncoder().encode(`${json}]`));
            controller.close();
          },
        }),
        duplex: "half",
      } as RequestInit,
    ).then(
      ({ status }) => status,
      () => 0,
    );
  const open = upload(new Promise((resolve) => (end = resolve)));
  const incomplete = upload(undefined);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const started = performance.now();
  const closed = running.close();
  setTimeout(end, 200);
  expect(await open).toBe(200);
  await closed;
  expect(await incomplete).not.toBe(200);
  expect(performance.now() - started).toBeLessThan(9_000);
  const { items } = await command(data, (admin) =>
    admin.owners.items.list({ owner: "eve" }),
  );
  expect(items).toHaveLength(1);
}, 20_000);

test("errors of commands are those of the API", async () => {
  const data = temporaryFolder();
  const call = command(data, (admin) => admin.owners.get({ owner: "bob" }));
  await expect(call).rejects.toThrow(AdminError);
  await expect(call).rejects.toThrow("unknown owner 'bob'");
});
