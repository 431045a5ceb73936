import type { Auth } from "../auth.js";
import type { Invocation } from "../call.js";
import { ApiError, toApiError, type ErrorFacts } from "../error.js";
import type { Answer } from "../execute.js";
import { inTime } from "../with-timeout.js";
import { mergeHeaders } from "../headers.js";
import { prepare, type ApiRequest } from "../request.js";
import { freshAuth } from "../refresh-auth.js";
import { readValue } from "../read-value.js";
import { isTransient, now, pauseOf, retryOptions, sleep } from "../retry.js";
import { checkSize, type UploadRules } from "./rules.js";
import { askSession, sessionRequest } from "./session.js";
import type { Chunk, Source } from "./source.js";
import { checkEnd } from "./single-request.js";

/** An upload under way. */
interface Upload {
  readonly call: Invocation;
  readonly rules: UploadRules;
  readonly source: Source;
  readonly type: string;
  readonly signal: AbortSignal | null;
  readonly facts: ErrorFacts;
  /** Where the content goes; none before the upload is begun. */
  uri: string | undefined;
  /** Bytes that the server has confirmed. */
  offset: number;
  /** The most that {@link Upload.offset} has been since it went back. */
  best: number;
  /** How often the upload went back, or began again. */
  setbacks: number;
  /** Bytes that may have reached the server. */
  sent: number;
  /** Bytes of the content, once they are known. */
  size: number | undefined;
  /** Whether to ask the server what it has, as after an error. */
  unsure: boolean;
  /** In place of the client's, after a 401. */
  credentials: Auth | undefined;
}

/**
 * Sends metadata, then the content in chunks, going on where the server says
 * it is. After an error it asks before it sends; a session that is gone is
 * begun again if the content is still there.
 */
export function uploadResumable(
  call: Invocation,
  rules: UploadRules,
  source: Source,
  type: string,
): Promise<Answer<unknown>> {
  const { session } = call.options;
  return inTime(call, async (signal, facts) => {
    if (session) checkEnd(session.size ?? source.size ?? 0, source.size, true);
    const uri = session?.uri;
    return proceed({
      call,
      rules,
      source,
      type,
      signal,
      facts,
      uri,
      offset: 0,
      best: -1,
      setbacks: 0,
      sent: session ? Infinity : 0,
      size: source.size ?? session?.size,
      unsure: true,
      credentials: undefined,
    });
  }).finally(() => source.release());
}

/** Steps until the end; errors that may go away are only so many in a row. */
async function proceed(upload: Upload): Promise<Answer<unknown>> {
  const { call, signal, facts } = upload;
  const options = retryOptions(call) ?? { attempts: 1 };
  const { attempts = 8, budget = 60_000, onRetry } = options;
  let failures = 0;
  let since = now();
  for (;;) {
    let error: ApiError;
    try {
      const answer = await step(upload);
      if (answer) return answer;
      if (upload.offset > upload.best) {
        [upload.best, failures, since] = [upload.offset, 0, now()];
        report(upload);
        continue;
      }
      error = fault(upload, "the server keeps nothing of what it is sent");
    } catch (thrown) {
      signal?.throwIfAborted();
      error = toApiError(thrown, signal, facts);
      if (!(await recover(upload, error))) throw error;
    }
    const delay = pauseOf(error, ++failures, options);
    if (failures >= attempts || now() + delay > since + budget) throw error;
    onRetry?.({ error, attempt: failures, delay });
    await sleep(delay, signal);
  }
}

/** Prepares to go on after an error; whether that is possible. */
async function recover(upload: Upload, error: ApiError): Promise<boolean> {
  const { call, source, uri } = upload;
  upload.unsure = true;
  if (error.status === 401 && !upload.credentials)
    return !!(upload.credentials = await freshAuth(call, error));
  const gone = error.status === 404 || error.status === 410;
  if (!uri || !gone) return isTransient(error);
  if (!source.reaches(0)) return false;
  upload.uri = undefined;
  upload.sent = 0;
  return setBack(upload, 0);
}

/** Goes back in the content; whether it has not done so too often. */
function setBack(upload: Upload, offset: number): boolean {
  upload.offset = offset;
  upload.best = offset - 1;
  return ++upload.setbacks <= 8;
}

/** One request; the answer if it was the last. */
async function step(upload: Upload): Promise<Answer<unknown> | undefined> {
  const { call, source, facts } = upload;
  if (!upload.uri) return begin(upload);
  let chunk: Chunk | undefined;
  if (!upload.unsure) chunk = await nextChunk(upload);
  const request = contentRequest(upload, chunk);
  const answer = await askSession(call, request, upload.uri);
  if ("final" in answer) {
    const data = await readValue(answer.final, { ...request, url: "" }, call);
    return { data, response: answer.final };
  }
  const { offset } = answer;
  if (offset > Math.min(upload.sent, upload.size ?? Infinity))
    throw fault(upload, "the server has more bytes than there are", "decode");
  facts.kind = "request";
  // An answer to a chunk that takes back what was confirmed: ask again.
  upload.unsure = chunk !== undefined && offset < upload.offset;
  if (upload.unsure) return undefined;
  const back = offset < upload.offset;
  if (!source.reaches(offset) || (back && !setBack(upload, offset)))
    throw fault(upload, "the server has lost bytes that it had confirmed");
  upload.offset = offset;
  return undefined;
}

/** Sends the metadata and takes the session. */
async function begin(upload: Upload): Promise<undefined> {
  const { call, rules, source, signal, facts, type } = upload;
  const path = rules.simple ?? rules.resumable!;
  const request = prepare(
    {
      ...call,
      descriptor: { ...call.descriptor, path },
      parameters: { ...call.parameters, uploadType: "resumable" },
    },
    signal,
    Object.assign(facts, { kind: "request", status: undefined }),
  );
  const { size } = source;
  const headers = mergeHeaders(request.init.headers, {
    "x-upload-content-type": type,
    "x-upload-content-length": size?.toString(),
  });
  const { credentials } = upload;
  const init = { ...request.init, headers };
  const response = await call.client.send(
    { ...request, init, credentials },
    call,
  );
  const location = response.headers.get("location");
  await response.body?.cancel();
  if (!location) throw fault(upload, "the upload got no session", "decode");
  upload.uri = new URL(location, facts.url).href;
  upload.unsure = false;
}

/** @throws ApiError of kind `upload` if the content is not as was said. */
async function nextChunk(upload: Upload): Promise<Chunk> {
  const { source, rules, offset, size = Infinity } = upload;
  const unit = 256 * 1024;
  const wish = upload.call.options.chunkSize ?? 32 * unit;
  const rounded = Math.max(1, Math.ceil(wish / unit)) * unit;
  const length = Math.min(rounded, size - offset);
  let chunk: Chunk;
  try {
    chunk = await source.chunk(offset, length);
    const end = offset + chunk.length;
    checkEnd(chunk.last || end < size ? end : end + 1, upload.size, chunk.last);
    checkSize(end, rules);
  } catch (thrown) {
    upload.signal?.throwIfAborted();
    const message =
      thrown instanceof Error ? thrown.message : "media.body failed";
    throw fault(upload, message, "upload", thrown);
  }
  if (chunk.last) upload.size = offset + chunk.length;
  return chunk;
}

/** A chunk, or without one the question how far the upload is. */
function contentRequest(
  upload: Upload,
  chunk: Chunk | undefined,
): Omit<ApiRequest, "url"> {
  const { call, uri, offset, size = "*", signal, facts } = upload;
  const end = offset + (chunk?.length ?? 0);
  upload.sent = Math.max(upload.sent, end);
  const range = chunk?.length ? `${offset}-${end - 1}` : "*";
  const init = {
    method: "PUT",
    headers: { "content-range": `bytes ${range}/${size}` },
    ...(chunk?.length && { body: chunk.bytes }),
    signal,
  };
  return sessionRequest(call, uri!, init, facts, upload.credentials);
}

function report({ call, uri, offset, size }: Upload): void {
  const session = { uri: uri!, offset, size };
  call.options.onProgress?.({ loaded: offset, total: size, session });
}

function fault(
  { facts }: Upload,
  message: string,
  kind: "upload" | "decode" = "upload",
  cause?: unknown,
): ApiError {
  return new ApiError(message, { ...facts, kind, ...(cause ? { cause } : {}) });
}
