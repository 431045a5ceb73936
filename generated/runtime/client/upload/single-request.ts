/* eslint-disable */
// biome-ignore-all lint: generated

import { randomBoundary } from "../boundary.js";
import type { CallResult, Invocation, Payload } from "../contract.js";
import { ApiError } from "../error.js";
import { execute } from "../execute.js";
import { streamOf } from "../web-stream.js";
import { checkSize, type UploadRules } from "./rules.js";
import type { Source } from "./source.js";

/** Function that records why reading a body failed. */
type Report = (cause: unknown) => void;

/** Uploads content in one request, with or without metadata. */
export async function uploadInOneRequest(
  call: Invocation,
  rules: UploadRules,
  source: Source,
  type: string,
  kind: "media" | "multipart",
): Promise<CallResult<unknown>> {
  const { onProgress } = call.options;
  const payload = kind === "media" ? mediaPayload : multipartPayload;
  let failure: { readonly cause: unknown } | undefined;
  // Errors from transports do not contain the reason why reading a body failed,
  // so the reason is recorded here.
  const report: Report = (cause) => (failure = { cause });
  const result = await execute({
    ...call,
    descriptor: {
      ...call.descriptor,
      path: rules.simple!,
      body: () => payload(call, rules, source, type, report),
    },
    parameters: { ...call.parameters, media: undefined, uploadType: kind },
  }).catch((error: unknown) => {
    throw failure ? uploadError(error, failure.cause) : error;
  });
  const { size } = source;
  if (source.fixed) onProgress?.({ loaded: size!, total: size });
  return result;
}

/**
 * Returns the error for a call whose body could not be read. If another error
 * occurred earlier, returns that error.
 */
function uploadError(error: unknown, cause: unknown): unknown {
  const context = error as ApiError;
  if (!/^(network|request)$/.test(context.kind)) return error;
  const { message = cause } = Object(cause) as { message?: unknown };
  return new ApiError(`media.body failed: ${String(message)}`, {
    ...context,
    kind: "upload",
    cause,
  });
}

function mediaPayload(
  call: Invocation,
  rules: UploadRules,
  source: Source,
  type: string,
  report: Report,
): Payload {
  const headers = { "content-type": type };
  if (source.fixed) return { body: source.fixed, headers };
  return { ...streamPayload(countBytes(call, rules, source, report)), headers };
}

/** Encodes `multipart/related`: the metadata as JSON, then the content. */
function multipartPayload(
  call: Invocation,
  rules: UploadRules,
  source: Source,
  type: string,
  report: Report,
): Payload {
  const boundary = randomBoundary();
  const metadata = call.descriptor.body?.(call);
  const part = (of: string) => `--${boundary}\r\ncontent-type: ${of}\r\n\r\n`;
  const head = `${part("application/json")}${String(metadata?.body ?? "{}")}\r\n${part(type)}`;
  const tail = `\r\n--${boundary}--\r\n`;
  const headers = { "content-type": `multipart/related; boundary=${boundary}` };
  if (source.fixed)
    return { body: new Blob([head, source.fixed, tail]), headers };
  async function* parts(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    yield new TextEncoder().encode(head);
    yield* countBytes(call, rules, source, report);
    yield new TextEncoder().encode(tail);
  }
  return { ...streamPayload(parts()), headers };
}

/** Returns a body that is read while it is sent. It can be sent only once. */
function streamPayload(
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>,
): Pick<Payload, "body" | "duplex"> {
  return { body: streamOf(chunks), duplex: "half" };
}

/** Yields the chunks of a source; reports progress and checks the size. */
async function* countBytes(
  { options: { onProgress } }: Invocation,
  rules: UploadRules,
  source: Source,
  report: Report,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { size: total } = source;
  let loaded = 0;
  const check = (ended: boolean) => {
    checkSize(loaded, rules);
    checkLength(loaded, total, ended);
  };
  try {
    for await (const chunk of source.chunks!()) {
      loaded += chunk.length;
      check(false);
      yield chunk;
      onProgress?.({ loaded, total });
    }
    check(true);
  } catch (thrown) {
    report(thrown);
    throw thrown;
  }
}

/** @throws RangeError if the content does not have the declared size. */
export function checkLength(
  loaded: number,
  size: number | undefined,
  ended: boolean,
): void {
  if (size === undefined) return;
  if (loaded > size || (ended && loaded < size))
    throw new RangeError(
      `media.body is ${loaded > size ? "longer" : "shorter"} than media.size`,
    );
}
