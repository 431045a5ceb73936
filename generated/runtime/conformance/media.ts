/* eslint-disable */
// biome-ignore-all lint: generated

import type { Media as ClientMedia, MediaCall } from "../client/kinds.js";
import { openMedia } from "../client/open-media.js";
import type { Call } from "../server/call.js";
import { content } from "../server/content.js";
import type { UploadPlan } from "./plan.js";
import type { MethodTester } from "./method-tester.js";

/** Chunk size of a resumable upload in bytes. */
const CHUNK = 256 * 1024;

/** Text that resembles multipart delimiters. */
const TRICKY = "\r\n--\r\n--boundary--\r\n\r\n\0";

/** Returns content of a given length that contains every byte and `TRICKY`. */
function contentOf(length: number): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from({ length }, (_, index) => (index * 7) & 255);
  bytes.set(new TextEncoder().encode(TRICKY).subarray(0, length));
  return bytes;
}

type Kind = UploadPlan["kinds"][number];

/**
 * Checks that content and metadata arrive, with every upload protocol of the
 * client.
 */
export async function checkUploads(trial: MethodTester): Promise<void> {
  const { upload } = trial.plan;
  for (const kind of upload?.kinds ?? [])
    for (const length of kind === "resumable" ? [0, CHUNK + 999] : [0, 999]) {
      const step = `upload ${kind} ${length}`;
      await trial.attempt(step, () => checkUpload(trial, kind, length, step));
    }
}

async function checkUpload(
  trial: MethodTester,
  kind: Kind,
  length: number,
  step: string,
): Promise<void> {
  const { recorder, method } = trial.context;
  const { type } = trial.plan.upload!;
  const full = trial.makeInput(step, false);
  const given = kind === "media" ? { ...full, body: undefined } : full;
  const bytes = contentOf(length);
  const answer = trial.makeResponse(step);
  let arrived: Call | undefined;
  let received: Uint8Array | undefined;
  recorder.on(method.id, async (call) => {
    arrived = call;
    received = await call.media?.bytes();
    return answer;
  });
  const media = { body: bytes, mimeType: type };
  const options = { upload: kind, chunkSize: CHUNK };
  const value = await (trial.begin(
    given,
    { media },
    options,
  ) as Promise<unknown>);
  trial.compareCall(step, given, arrived!, sentBy(kind, trial, arrived!));
  trial.compare(`${step} type`, type, arrived?.media?.contentType);
  compareBytes(trial, `${step} content`, bytes, received);
  trial.compare(`${step} response`, answer, value);
}

/**
 * Returns the parameters that the client adds itself, if the API declares them.
 */
function sentBy(
  kind: Kind,
  { context }: MethodTester,
  { params }: Call,
): object {
  const { uploadType } = Object(params) as Record<string, unknown>;
  const declared = { ...context.api.parameters, ...context.method.parameters };
  if (!Object.hasOwn(declared, "uploadType") || uploadType === undefined)
    return {};
  return { uploadType: kind };
}

const TYPE = "application/x-conformance";

/** Checks downloads of complete content and of a range. */
export async function checkDownload(trial: MethodTester): Promise<void> {
  const { recorder, method } = trial.context;
  if (method.download === undefined || method.download === false) return;
  const body = contentOf(5000);
  const given = trial.makeInput("download", false);
  let arrived: Call | undefined;
  const begin = (): MediaCall<unknown> => {
    recorder.on(method.id, (call) => {
      arrived = call;
      return content({ body, contentType: TYPE, etag: '"1"' });
    });
    return trial.begin(given) as MediaCall<unknown>;
  };
  await trial.attempt("download", async () => {
    const media = await begin().media();
    const type = media.response.headers.get("content-type");
    trial.compareCall("download", given, arrived!, { alt: "media" });
    trial.compare("download type", TYPE, type);
    compareBytes(trial, "download", body, await media.bytes());
  });
  await trial.attempt("range", async () => {
    const media = await openMedia(begin(), { range: [10, 99] });
    trial.compare("range status", 206, media.response.status);
    compareBytes(trial, "range", body.subarray(10, 100), await media.bytes());
  });
  if (method.download !== "service") return;
  await trial.attempt("download service", async () => {
    const media = await openMedia(begin(), { service: true });
    compareBytes(trial, "download service", body, await media.bytes());
  });
}

/** Checks that bodies of any media type arrive unchanged with their type. */
export async function checkRawBodies(trial: MethodTester): Promise<void> {
  const { recorder, method } = trial.context;
  const { rawRequest, rawResponse } = trial.plan;
  const body = contentOf(5000);
  await trial.attempt("raw", async () => {
    const given = trial.makeInput("raw", false);
    const answer = trial.makeResponse("raw");
    let received: Uint8Array | undefined;
    let type: string | undefined;
    recorder.on(method.id, async (call) => {
      type = call.media?.contentType;
      received = await call.media?.bytes();
      return rawResponse === true
        ? content({ body, contentType: TYPE })
        : answer;
    });
    const requestBody = { body, mimeType: TYPE };
    const more = rawRequest === true ? { requestBody } : {};
    const value = await (trial.begin(given, more) as Promise<unknown>);
    if (rawRequest === true) {
      trial.compare("raw type", TYPE, type);
      compareBytes(trial, "raw content", body, received);
    }
    if (rawResponse !== true)
      return trial.compare("raw response", answer, value);
    const media = value as ClientMedia;
    trial.compare("raw response type", TYPE, media.type);
    compareBytes(trial, "raw response", body, await media.bytes());
  });
}

/** Compares bytes; reports the length and the first difference only. */
function compareBytes(
  trial: MethodTester,
  step: string,
  expected: Uint8Array,
  got: Uint8Array | undefined,
): void {
  trial.compare(`${step} length`, expected.length, got?.length);
  const at = expected.findIndex((byte, index) => byte !== got?.[index]);
  if (at !== -1 && got !== undefined && got.length === expected.length)
    trial.compare(`${step} byte ${at}`, expected[at], got[at]);
}
