/* eslint-disable */
// biome-ignore-all lint: generated

import type { Media as ClientMedia, MediaCall } from "../client/call-types.js";
import { openMedia } from "../client/open-media.js";
import type { Call } from "../server/call.js";
import { content } from "../server/content.js";
import type { UploadPlan } from "./plan.js";
import type { Trial } from "./trial.js";

/** Bytes of a chunk of a resumable upload. */
const CHUNK = 256 * 1024;

/** What could be mistaken for the end of a part, and every byte. */
const TRICKY = "\r\n--\r\n--boundary--\r\n\r\n\0";

/** Content of a given length. */
function contentOf(length: number): Uint8Array<ArrayBuffer> {
  const bytes = Uint8Array.from({ length }, (_, index) => (index * 7) & 255);
  bytes.set(new TextEncoder().encode(TRICKY).subarray(0, length));
  return bytes;
}

type Kind = UploadPlan["kinds"][number];

/** Content and what describes it arrive, in every form that the client offers. */
export async function checkUploads(trial: Trial): Promise<void> {
  const { upload } = trial.plan;
  for (const kind of upload?.kinds ?? [])
    for (const length of kind === "resumable" ? [0, CHUNK + 999] : [0, 999]) {
      const step = `upload ${kind} ${length}`;
      await trial.attempt(step, () => checkUpload(trial, kind, length, step));
    }
}

async function checkUpload(
  trial: Trial,
  kind: Kind,
  length: number,
  step: string,
): Promise<void> {
  const { recorder, method } = trial.scene;
  const { type } = trial.plan.upload!;
  const full = trial.given(step, false);
  const given = kind === "media" ? { ...full, body: undefined } : full;
  const bytes = contentOf(length);
  const answer = trial.answer(step);
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
  trial.compare(`${step} answer`, answer, value);
}

/** What the client itself sends, where the API declares it as a parameter. */
function sentBy(kind: Kind, { scene }: Trial, { params }: Call): object {
  const { uploadType } = Object(params) as Record<string, unknown>;
  const declared = { ...scene.api.parameters, ...scene.method.parameters };
  if (!Object.hasOwn(declared, "uploadType") || uploadType === undefined)
    return {};
  return { uploadType: kind };
}

const TYPE = "application/x-conformance";

/** Content arrives whole, and in part where that is asked for. */
export async function checkDownload(trial: Trial): Promise<void> {
  const { recorder, method } = trial.scene;
  if (method.download === undefined || method.download === false) return;
  const body = contentOf(5000);
  const given = trial.given("download", false);
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

/** Bodies and answers of any type arrive with their type, byte by byte. */
export async function checkRaw(trial: Trial): Promise<void> {
  const { recorder, method } = trial.scene;
  const { rawRequest, rawResponse } = trial.plan;
  const body = contentOf(5000);
  await trial.attempt("raw", async () => {
    const given = trial.given("raw", false);
    const answer = trial.answer("raw");
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
    if (rawResponse !== true) return trial.compare("raw answer", answer, value);
    const media = value as ClientMedia;
    trial.compare("raw answer type", TYPE, media.type);
    compareBytes(trial, "raw answer", body, await media.bytes());
  });
}

/** The first byte that differs tells enough. */
function compareBytes(
  trial: Trial,
  step: string,
  expected: Uint8Array,
  got: Uint8Array | undefined,
): void {
  trial.compare(`${step} length`, expected.length, got?.length);
  const at = expected.findIndex((byte, index) => byte !== got?.[index]);
  if (at !== -1 && got !== undefined && got.length === expected.length)
    trial.compare(`${step} byte ${at}`, expected[at], got[at]);
}
