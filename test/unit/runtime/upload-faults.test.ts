import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ApiError } from "../../../src/runtime/client/error.js";
import { jsonBody } from "../../../src/runtime/client/json-body.js";
import { nodeTransport } from "../../../src/runtime/client/node.js";
import {
  upload,
  type UploadMedia,
} from "../../../src/runtime/client/upload.js";
import {
  startFaultServer,
  type Fault,
  type FaultServer,
} from "./fault-server.js";
import { fullClient, make } from "./helpers.js";
import { rounds } from "../../support/full.js";

/** Number of plans. */
const count = Number(process.env["UPLOAD_PLANS"] ?? rounds(1000));
const first = Number(process.env["UPLOAD_SEED"] ?? 1);
const unit = 256 * 1024;

let server: FaultServer;
beforeAll(async () => {
  server = await startFaultServer();
});
afterAll(() => server.close());

const insert = make({
  httpMethod: "POST",
  body: jsonBody,
  use: [
    upload({
      simple: "/upload/drive/v3/files",
      resumable: "/resumable/upload/drive/v3/files",
      multipart: true,
    }),
  ],
});

/** Returns a generator of random numbers from 0 to 1, deterministic by seed (mulberry32). */
function randoms(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!;
}

function content(random: () => number): Buffer {
  const any = Math.floor(random() * 4 * unit);
  const size = pick(random, [
    0,
    1,
    unit - 1,
    unit,
    unit + 1,
    3 * unit,
    any,
    any,
  ]);
  const bytes = Buffer.alloc(size);
  for (let at = 0; at + 4 <= size; at += 4)
    bytes.writeInt32LE((random() * 2 ** 31) | 0, at);
  return bytes;
}

function* slices(bytes: Buffer, random: () => number): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const next = at + 1 + Math.floor(random() * 100_000);
    yield bytes.subarray(at, next);
    at = next;
  }
}

function mediaOf(bytes: Buffer, random: () => number): UploadMedia {
  const size = random() < 0.5 ? bytes.length : undefined;
  const kinds: (() => UploadMedia)[] = [
    () => ({ body: bytes }),
    () => ({ body: new Blob([new Uint8Array(bytes)]) }),
    () => ({ body: Readable.from(slices(bytes, random)), size }),
    () => ({ body: new Blob([new Uint8Array(bytes)]).stream(), size }),
  ];
  return pick(random, kinds)();
}

function faultOf(random: () => number): Fault {
  const bytes = pick(random, [0, 1, 1000, unit / 2, unit - 1, unit]);
  const status = pick(random, [503, 429, 500, 502, 408]);
  return pick<Fault>(random, [
    { kind: "none" },
    { kind: "none" },
    { kind: "cutFirst" },
    { kind: "cut", bytes },
    { kind: "cut", bytes },
    { kind: "short", bytes },
    { kind: "lostAnswer" },
    { kind: "override" },
    { kind: "status", status, after: pick(random, ["", "0"]) },
    random() < 0.2 ? { kind: "gone" } : { kind: "lostAnswer" },
  ]);
}

it(`survives ${count} plans of faults`, { timeout: 600_000 }, async () => {
  let succeeded = 0;
  const errors: Record<string, number> = {};
  for (let seed = first; seed < first + count; seed++) {
    const random = randoms(seed);
    const bytes = content(random);
    const media = mediaOf(bytes, random);
    const length = Math.floor(random() * 12);
    server.faults = Array.from({ length }, () => faultOf(random));
    server.files.length = 0;
    const api = fullClient(
      seed % 2 ? (url, init) => fetch(url, init) : nodeTransport(),
      { rootUrl: server.root, retry: { delay: 1, maxDelay: 2 } },
    );
    const call = insert(
      api,
      { requestBody: { seed }, media },
      { upload: "resumable", chunkSize: unit, timeout: 20_000 },
    );
    const result = await call.then(
      (value) => value as { size: string },
      (error: unknown) => error,
    );
    for (const { data, metadata } of server.files) {
      expect(data.equals(bytes), `content, seed ${seed}`).toBe(true);
      expect(metadata).toBe(JSON.stringify({ seed }));
    }
    if (result instanceof ApiError) {
      const what = `${result.kind} ${result.status ?? ""} ${result.message}`;
      expect(["http", "network", "upload"], what).toContain(result.kind);
      errors[what] = (errors[what] ?? 0) + 1;
    } else {
      expect(result, `seed ${seed}`).toEqual({ size: String(bytes.length) });
      expect(server.files.length, `seed ${seed}`).toBeGreaterThan(0);
      succeeded++;
    }
  }
  console.info(
    `${count} plans: ${succeeded} uploads, ${count - succeeded} clear errors`,
  );
  expect(succeeded).toBeGreaterThan(count * 0.9);
});
