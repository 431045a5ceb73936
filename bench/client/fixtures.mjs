// Responses of the servers and mocks of bench/client.mjs, and the clients that call them.
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** Small response of files.get. */
export const file = JSON.stringify({
  kind: "drive#file",
  id: "1aBcDeFgHiJ",
  name: "notes.txt",
  mimeType: "text/plain",
});

/** Page of files.list: ten files with frequently selected fields. */
export const page = JSON.stringify({
  kind: "drive#fileList",
  incompleteSearch: false,
  nextPageToken: "~!!~AI9FV7Q2n5l3kJ8sd0aWqZ".repeat(4),
  files: Array.from({ length: 10 }, (_, at) => ({
    kind: "drive#file",
    id: `1aBcDeFgHiJkLmNoPqRsTuVwXyZ_${at}`,
    name: `Report ${at} of the third quarter.pdf`,
    mimeType: "application/pdf",
    starred: false,
    trashed: false,
    parents: ["0AAbBcCdDeEfFgGUk9PVA"],
    webViewLink: `https://drive.example.com/file/d/1aBcDeFg_${at}/view`,
    createdTime: "2026-01-02T03:04:05.678Z",
    modifiedTime: "2026-02-03T04:05:06.789Z",
    size: `${at}123456`,
    owners: [{ displayName: "Ada", emailAddress: "ada@example.com", me: true }],
  })),
});

/** Returns parameters of a call; `at` makes them differ. */
export const parametersOf = {
  get: (at) => ({ fileId: `f${at}`, fields: "id,name,mimeType" }),
  list: (at) => ({
    q: `'p${at}' in parents and trashed = false`,
    pageSize: 10,
    orderBy: "modifiedTime desc",
    fields: "nextPageToken,files",
  }),
};

export const textOf = { get: file, list: page };

/** Loads the bundled generated client. */
export const ours = (work) =>
  import(pathToFileURL(path.join(work, "ours.mjs")).href);

/** Loads the published client with a token that does not expire. */
export function peer(work, options) {
  const require = createRequire(path.join(work, "package.json"));
  const { auth, drive } = require("@googleapis/drive");
  const client = new auth.OAuth2();
  client.setCredentials({ access_token: "token", expiry_date: 1e14 });
  return drive({ version: "v3", auth: client, ...options });
}

/** Returns a minimal `fetch` on node:http that reads one text and parses it. */
export function httpFetch() {
  const agent = new http.Agent({ keepAlive: true, scheduling: "lifo" });
  return (url, { headers }) =>
    new Promise((resolve, reject) => {
      const request = http.get(url, { agent, headers }, (message) => {
        const parts = [];
        message.on("data", (part) => parts.push(part));
        message.on("error", reject);
        message.on("end", () =>
          resolve({
            ok: message.statusCode == 200,
            status: message.statusCode,
            json: () => JSON.parse(Buffer.concat(parts).toString()),
          }),
        );
      });
      request.on("error", reject);
    });
}

/** Returns hand-written calls without a client. */
export function byHand(fetch, root = "https://www.googleapis.com/") {
  const send = async (url) => {
    const headers = { authorization: "Bearer token" };
    const response = await fetch(url, { headers });
    if (!response.ok) throw new Error(`${response.status}`);
    return response.json();
  };
  return {
    get: ({ fileId, fields }) =>
      send(
        `${root}drive/v3/files/${encodeURIComponent(fileId)}?${new URLSearchParams({ fields })}`,
      ),
    list: ({ q, pageSize, orderBy, fields }) =>
      send(
        `${root}drive/v3/files?${new URLSearchParams({ q, pageSize, orderBy, fields })}`,
      ),
  };
}
