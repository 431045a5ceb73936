import type { Batches } from "../../src/runtime/client/batch.js";
import type { ApiError } from "../../src/runtime/client/error.js";
import type {
  Call,
  CallOptions,
  ClientOptions,
} from "../../src/runtime/client/index.js";
import type {
  MediaCall,
  OperationCall,
  PagedCall,
  StreamCall,
} from "../../src/runtime/client/call-types.js";
import type { openMedia as OpenMedia } from "../../src/runtime/client/open-media.js";
import type { refreshToken as RefreshToken } from "../../src/runtime/auth/refresh-token.js";
import type { serviceAccount as ServiceAccount } from "../../src/runtime/auth/service-account.js";
import type {
  UploadMedia,
  UploadProgress,
} from "../../src/runtime/client/upload.js";

interface Item {
  id?: string;
  name?: string;
  type?: string;
  size?: string;
  sum?: number;
}

type Bound<P, C> = (parameters: P, options?: CallOptions) => C;

/** Checked part of the generated client of shop.v1.json. */
interface Shop extends Batches {
  items: {
    get: Bound<{ itemId: string }, MediaCall<Item>>;
    list: Bound<object, PagedCall<{ items?: Item[] }, "items">>;
    insert: Bound<{ requestBody?: Item; media?: UploadMedia }, Call<Item>>;
    delete: Bound<{ itemId: string }, Call<void>>;
  };
  orders: { create: Bound<{ requestBody?: Item }, OperationCall<object>> };
  questions: {
    ask: Bound<
      { requestBody: { text: string } },
      StreamCall<{ text?: string }, { text?: string }>
    >;
  };
}

/** Exports of the generated modules. */
export interface Modules {
  serviceAccount: typeof ServiceAccount;
  refreshToken: typeof RefreshToken;
  createShop(options: ClientOptions): Shop;
  openMedia: typeof OpenMedia;
  isApiError(value: unknown): value is ApiError;
}

/** Error text by name of the check; empty if it passes. */
export type Results = Record<string, string>;

/** Runs all checks against a server, in any environment with `fetch`. */
export async function runChecks(
  modules: Modules,
  rootUrl: string,
  options: ClientOptions = {},
): Promise<Results> {
  const auth = () => Promise.resolve("token");
  const retry = { delay: 1 };
  const shop = modules.createShop({ rootUrl, auth, retry, ...options });
  const results: Results = {};
  for (const [name, check] of Object.entries(checks))
    results[name] = await check(shop, modules).then(
      () => "",
      (error: unknown) => String(Object(error).stack ?? error),
    );
  return results;
}

type Check = (shop: Shop, modules: Modules) => Promise<void>;

const unit = 256 * 1024;

const checks: Record<string, Check> = {
  async values({ items }) {
    const { data, response } = await items
      .get({ itemId: "a/b c" })
      .withResponse();
    same(data, { id: "a/b c", name: "Ä" });
    same(response.status, 200);
    same(await items.insert({ requestBody: { name: "é" } }), { name: "é" });
    same(await items.delete({ itemId: "a" }), undefined);
  },
  async errors({ items }, { isApiError }) {
    const gone = await failure(items.get({ itemId: "none" }));
    same(isApiError(gone), true);
    const { kind, status, code, serverCode, reason } = gone;
    same(
      [kind, status, code, serverCode, reason],
      ["http", 404, 404, "SORRY", "sorry"],
    );
    const once = { retry: false } as const;
    const cut = await failure(items.get({ itemId: "cut" }, once));
    same(cut.kind, "network");
  },
  async retries({ items }) {
    let pauses = 0;
    const retry = { onRetry: () => void pauses++ };
    await items.get({ itemId: "busy" }, { retry });
    same(pauses, 2);
  },
  async paging({ items }) {
    const ids: unknown[] = [];
    for await (const { id } of items.list({})) ids.push(id);
    same(ids, ["1", "2", "3", "4", "5", "6"]);
    let pages = 0;
    for await (const _ of items.list({}).pages()) pages++;
    same(pages, 3);
  },
  async "upload of bytes"({ items }) {
    const [media, facts] = contentOf(1000);
    const body = await media.arrayBuffer();
    const value = await items.insert({ media: { body } }, { upload: "media" });
    same(value, { name: "", ...facts, type: "application/octet-stream" });
  },
  async "multipart upload of a Blob"({ items }) {
    const [body, facts] = contentOf(unit + 1);
    const requestBody = { name: "blob" };
    const upload = "multipart";
    const value = await items.insert(
      { requestBody, media: { body } },
      { upload },
    );
    same(value, { name: "blob", ...facts });
  },
  async "resumable upload of a Blob, with progress"({ items }) {
    const [body, facts] = contentOf(2 * unit + 7);
    const seen: UploadProgress[] = [];
    const value = await items.insert(
      { requestBody: { name: "big" }, media: { body } },
      {
        upload: "resumable",
        chunkSize: unit,
        onProgress: (progress) => void seen.push(progress),
      },
    );
    same(value, { name: "big", ...facts });
    same(
      seen.map(({ loaded, total }) => [loaded, total]),
      [0, unit, 2 * unit, body.size].map((loaded) => [loaded, body.size]),
    );
  },
  async "resumable upload of a stream"({ items }) {
    const [blob, facts] = contentOf(3 * unit);
    const media = { body: blob.stream(), mimeType: blob.type };
    const value = await items.insert({ media }, { chunkSize: unit });
    same(value, { name: "", ...facts });
  },
  async "an upload that goes on later"({ items }) {
    const [body, facts] = contentOf(3 * unit);
    const stop = new AbortController();
    let saved: UploadProgress["session"];
    const first = await failure(
      items.insert(
        { media: { body } },
        {
          upload: "resumable",
          chunkSize: unit,
          signal: stop.signal,
          onProgress({ loaded, session }) {
            saved = session;
            if (loaded) stop.abort();
          },
        },
      ),
    );
    same([first.kind, saved?.offset], ["abort", unit]);
    const session = JSON.parse(JSON.stringify(saved));
    const value = await items.insert({ media: { body } }, { session });
    same(value, { name: "", ...facts });
  },
  async download({ items }, { openMedia }) {
    const call = () => items.get({ itemId: "a" });
    const bytes = await (await call().media()).bytes();
    same([bytes.length, bytes[1000]], [100_000, 1000 % 256]);
    const blob = await (await call().media()).blob();
    same([blob.size, blob.type], [100_000, "application/octet-stream"]);
    let loaded = 0;
    const media = await openMedia(call(), {
      range: [10, 19],
      onProgress: (progress) => void (loaded = progress.loaded),
    });
    same(Array.from(await media.bytes())[9], 19);
    same(loaded, 10);
  },
  async streaming({ questions }) {
    const pieces: unknown[] = [];
    const text = "aé€😀z";
    for await (const piece of questions.ask({ requestBody: { text } }))
      pieces.push(piece.text);
    same(pieces, [...text]);
    const whole = await questions.ask({ requestBody: { text } });
    same(whole, { text });
    const endless = { requestBody: { text: "endless" } };
    for await (const piece of questions.ask(endless))
      if (piece.text == "s") break;
  },
  async operations({ orders }) {
    const states: unknown[] = [];
    const result = await orders.create({ requestBody: {} }).wait({
      interval: 1,
      onProgress: (state) => void states.push(state),
    });
    same(result, { id: "order" });
    same(states.length, 3);
  },
  async batch(shop) {
    const get = (itemId: string) => shop.items.get({ itemId });
    same(await shop.batch([get("a"), get("b")]), [{ id: "a" }, { id: "b" }]);
    const [a, none] = await shop.batchSettled([get("a"), get("none")]);
    same([a.status, none.status], ["fulfilled", "rejected"]);
  },
  async credentials({ items }, { serviceAccount, refreshToken }) {
    const { privateKey, publicKey } = await crypto.subtle.generateKey(
      {
        name: "RSASSA-PKCS1-v1_5",
        hash: "SHA-256",
        modulusLength: 2048,
        publicExponent: new Uint8Array([1, 0, 1]),
      },
      true,
      ["sign", "verify"],
    );
    const bytes = await crypto.subtle.exportKey("pkcs8", privateKey);
    const base64 = btoa(String.fromCharCode(...new Uint8Array(bytes)));
    const private_key = `-----BEGIN PRIVATE KEY-----\n${base64}\n-----END PRIVATE KEY-----\n`;
    const robot = serviceAccount({ client_email: "a@b.c", private_key });
    const url = "https://api.example.com/v1/a";
    const { authorization } = await robot.headers({ url });
    const [header, claims, signature] = authorization!.slice(7).split(".");
    const decode = (text: string) =>
      Uint8Array.from(
        atob(text.replaceAll("-", "+").replaceAll("_", "/")),
        (c) => c.charCodeAt(0),
      );
    const isValid = await crypto.subtle.verify(
      "RSASSA-PKCS1-v1_5",
      publicKey,
      decode(signature!),
      new TextEncoder().encode(`${header}.${claims}`),
    );
    same(isValid, true);
    const user = { clientId: "id", refreshToken: "r" };
    const tokens = async () => Response.json({ access_token: "fresh" });
    const auth = refreshToken({ ...user, fetch: tokens });
    same(await items.get({ itemId: "a/b c" }, { auth }), {
      id: "a/b c",
      name: "Ä",
    });
    const silent = refreshToken({
      ...user,
      timeout: 5,
      fetch: (_, { signal }) =>
        new Promise((__, reject) => {
          // Timers of AbortSignal.timeout do not keep a process running, as a
          // connection does.
          const timer = setTimeout(() => {}, 10_000);
          signal!.addEventListener("abort", () => {
            clearTimeout(timer);
            reject(signal!.reason);
          });
        }),
    });
    const error = await failure(silent.headers({ url }));
    same(error.message.includes("TimeoutError"), true);
  },
  async "abort and timeout"({ items }) {
    const stop = new AbortController();
    const call = items.get({ itemId: "hang" }, { signal: stop.signal });
    setTimeout(() => stop.abort(), 10);
    same((await failure(call)).kind, "abort");
    const late = items.get({ itemId: "hang" }, { timeout: 10 });
    same((await failure(late)).kind, "timeout");
  },
};

/** Blob and the server's description of its content. */
function contentOf(size: number): [Blob, Item] {
  const bytes = Uint8Array.from({ length: size }, (_, at) => at % 251);
  const sum = bytes.reduce((all, byte) => (all * 31 + byte) >>> 0, 0);
  const type = "image/png";
  return [new Blob([bytes], { type }), { type, size: `${size}`, sum }];
}

async function failure(call: PromiseLike<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => new Error("there is no error"),
    (thrown: unknown) => thrown,
  );
  return error as ApiError;
}

/** @throws Error for values whose JSON differs. */
function same(found: unknown, expected: unknown): void {
  const [is, should] = [found, expected].map((value) => JSON.stringify(value));
  if (is !== should) throw new Error(`${is} in place of ${should}`);
}
