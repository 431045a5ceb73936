// Makes calls with one client and prints what they cost its process, as JSON.
// Usage: node call.mjs <work> <client> <get|list> <calls> [<root>]
// Without a root, fetch responds from memory and calls are made one after the other;
// with it, 16 are in flight.
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import {
  byHand,
  httpFetch,
  ours,
  parametersOf,
  peer,
  textOf,
} from "../client/fixtures.mjs";

const [work, client, method, calls, root] = process.argv.slice(2);
const headers = { "content-type": "application/json; charset=UTF-8" };
const inMemory = async () => new Response(textOf[method], { headers });
const fetched = root === undefined ? inMemory : fetch;
const rootUrl = root ?? "https://www.googleapis.com/";
const baseUrl = rootUrl.replace(/\/$/, "");
const token = { authorization: "Bearer token" };

/** Returns the path and query of a call. */
function splitOf({ fileId, ...query }) {
  return fileId === undefined ? { query } : { path: { fileId }, query };
}

async function openapiFetch() {
  const { default: create } = await import("openapi-fetch");
  const api = create({ baseUrl, fetch: fetched, headers: token });
  const route = { get: "/drive/v3/files/{fileId}", list: "/drive/v3/files" };
  return async (given) => {
    const { data } = await api.GET(route[method], { params: splitOf(given) });
    return data;
  };
}

async function heyApi() {
  const url = pathToFileURL(path.join(work, "hey-api.mjs"));
  const module = await import(url.href);
  const auth = () => "token";
  module.client.setConfig({ baseUrl, fetch: fetched, auth });
  const call = method === "get" ? module.driveFilesGet : module.driveFilesList;
  return async (given) => (await call(splitOf(given))).data;
}

/** Returns a `fetch` over a pool of undici, by hand. */
function undiciFetch() {
  const require = createRequire(import.meta.url);
  const { Pool } = require("undici");
  const pool = new Pool(baseUrl, { connections: 16 });
  return async (url, options) => {
    const { pathname, search } = new URL(url);
    const given = { ...options, method: "GET", path: pathname + search };
    const { statusCode: status, body } = await pool.request(given);
    return { ok: status === 200, status, json: () => body.json() };
  };
}

function published() {
  const options = root === undefined ? { fetchImplementation: inMemory } : {};
  const { files } = peer(work, { rootUrl, ...options });
  return async (given) => (await files[method](given)).data;
}

async function generated(create) {
  const module = await ours(work);
  const options = { rootUrl, fetch: fetched, auth: () => "token" };
  return create(module, options);
}

const CLIENTS = {
  fetch: () => byHand(fetched, rootUrl)[method],
  http: () => byHand(httpFetch(), rootUrl)[method],
  undici: () => byHand(undiciFetch(), rootUrl)[method],
  flat: () =>
    generated((module, options) => {
      const api = module.createClient(options);
      return (given) => module[method](api, given);
    }),
  bound: () =>
    generated(({ createDrive }, options) => createDrive(options).files[method]),
  node: () =>
    generated(({ createDrive, nodeTransport }, { auth }) => {
      const transport = nodeTransport();
      return createDrive({ rootUrl, auth, transport }).files[method];
    }),
  "openapi-fetch": openapiFetch,
  "hey-api": heyApi,
  published,
};

const call = await CLIENTS[client]();
const { kind } = await call(parametersOf[method](0));
if (!kind.startsWith("drive#file"))
  throw new Error(`unexpected response: ${kind}`);

/** Makes calls; returns calls per second and microseconds of processor time. */
async function spend(count) {
  let at = 0;
  const one = async () => {
    while (at < count) await call(parametersOf[method](at++));
  };
  const start = performance.now();
  const before = process.cpuUsage();
  const inFlight = root === undefined ? 1 : 16;
  await Promise.all(Array.from({ length: inFlight }, one));
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - start) / 1000;
  return { rate: count / seconds, cpu: (user + system) / count };
}

await spend(Number(calls) / 2);
console.log(JSON.stringify(await spend(Number(calls))));
process.exit();
