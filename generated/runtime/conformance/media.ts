/* eslint-disable */
// biome-ignore-all lint: generated

import type { Media as ClientMedia, MediaCall } from "../client/call-types.js";
import { openMedia } from "../client/open-media.js";
import type { Call } from "../server/call.js";
import { content } from "../server/content.js";
import type { UploadPlan } from "./plan.js";
import type { MethodTester } from "./method-tester.js";

/** Chunk size for resumable uploads, in bytes. */
const CHUNK = 256 * 1024;

/** Text that resembles multipart delimiters, for testing parsers. */
const TRICKY = "\r\n--\r\n--boundary--\r\n\r\n\0";

/**
 * Returns content of the given length. It starts with text that resembles
 * multipart delimiters; the rest cycles through all byte values.
 */
function contentOf(length: number): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from({ length }, (_, index) => (index * 7) & 255);
  bytes.set(new TextEncoder().encode(TRICKY).subarray(0, length));
  return bytes;
}

type UploadKind = UploadPlan["kinds"][number];

/**
 * Checks that content and metadata are received unchanged with each upload
 * protocol that the client supports.
 */
export async function checkUploads(tester: MethodTester): Promise<void> {
  const { upload } = tester.plan;
  for (const kind of upload?.kinds ?? [])
    for (const length of kind === "resumable" ? [0, CHUNK + 999] : [0, 999]) {
      const step = `upload ${kind} ${length}`;
      await tester.attempt(step, () => checkUpload(tester, kind, length, step));
    }
}

async function checkUpload(
  tester: MethodTester,
  kind: UploadKind,
  length: number,
  step: string,
): Promise<void> {
  const { recorder, method } = tester.context;
  const { type } = tester.plan.upload!;
  const full = tester.makeInput(step, false);
  const input = kind === "media" ? { ...full, body: undefined } : full;
  const bytes = contentOf(length);
  const response = tester.makeResponse(step);
  let receivedCall: Call | undefined;
  let received: Uint8Array | undefined;
  recorder.on(method.id, async (call) => {
    receivedCall = call;
    received = await call.media?.bytes();
    return response;
  });
  const media = { body: bytes, mimeType: type };
  const options = { upload: kind, chunkSize: CHUNK };
  const value = await (tester.begin(
    input,
    { media },
    options,
  ) as Promise<unknown>);
  tester.compareCall(
    step,
    input,
    receivedCall!,
    clientParameters(kind, tester, receivedCall!),
  );
  tester.compare(`${step} type`, type, receivedCall?.media?.contentType);
  compareBytes(tester, `${step} content`, bytes, received);
  tester.compare(`${step} response`, response, value);
}

/**
 * Returns the parameters that the client sets automatically, if the API
 * declares them.
 */
function clientParameters(
  kind: UploadKind,
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

/** Checks downloads of the complete content and of a byte range. */
export async function checkDownload(tester: MethodTester): Promise<void> {
  const { recorder, method } = tester.context;
  if (method.download === undefined || method.download === false) return;
  const body = contentOf(5000);
  const input = tester.makeInput("download", false);
  let receivedCall: Call | undefined;
  const begin = (): MediaCall<unknown> => {
    recorder.on(method.id, (call) => {
      receivedCall = call;
      return content({ body, contentType: TYPE, etag: '"1"' });
    });
    return tester.begin(input) as MediaCall<unknown>;
  };
  await tester.attempt("download", async () => {
    const media = await begin().media();
    const type = media.response.headers.get("content-type");
    tester.compareCall("download", input, receivedCall!, { alt: "media" });
    tester.compare("download type", TYPE, type);
    compareBytes(tester, "download", body, await media.bytes());
  });
  await tester.attempt("range", async () => {
    const media = await openMedia(begin(), { range: [10, 99] });
    tester.compare("range status", 206, media.response.status);
    compareBytes(tester, "range", body.subarray(10, 100), await media.bytes());
  });
  if (method.download !== "service") return;
  await tester.attempt("download service", async () => {
    const media = await openMedia(begin(), { service: true });
    compareBytes(tester, "download service", body, await media.bytes());
  });
}

/**
 * Checks that bodies and their media types are received unchanged, for methods
 * that accept any media type.
 */
export async function checkRawBodies(tester: MethodTester): Promise<void> {
  const { recorder, method } = tester.context;
  const { rawRequest, rawResponse } = tester.plan;
  const body = contentOf(5000);
  await tester.attempt("raw", async () => {
    const input = tester.makeInput("raw", false);
    const response = tester.makeResponse("raw");
    let received: Uint8Array | undefined;
    let type: string | undefined;
    recorder.on(method.id, async (call) => {
      type = call.media?.contentType;
      received = await call.media?.bytes();
      return rawResponse === true
        ? content({ body, contentType: TYPE })
        : response;
    });
    const requestBody = { body, mimeType: TYPE };
    const more = rawRequest === true ? { requestBody } : {};
    const value = await (tester.begin(input, more) as Promise<unknown>);
    if (rawRequest === true) {
      tester.compare("raw type", TYPE, type);
      compareBytes(tester, "raw content", body, received);
    }
    if (rawResponse !== true)
      return tester.compare("raw response", response, value);
    const media = value as ClientMedia;
    tester.compare("raw response type", TYPE, media.type);
    compareBytes(tester, "raw response", body, await media.bytes());
  });
}

/** Compares bytes. Only the lengths and the first difference are reported. */
function compareBytes(
  tester: MethodTester,
  step: string,
  expected: Uint8Array,
  got: Uint8Array | undefined,
): void {
  tester.compare(`${step} length`, expected.length, got?.length);
  const at = expected.findIndex((byte, index) => byte !== got?.[index]);
  if (at !== -1 && got !== undefined && got.length === expected.length)
    tester.compare(`${step} byte ${at}`, expected[at], got[at]);
}
