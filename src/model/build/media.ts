import type { RawMethod, RawProtocol } from "../../load/raw.js";
import { byteSize } from "../infer/sizes.js";
import type { Download, Upload, UploadProtocol } from "../ir.js";

/**
 * Builds the upload of a method from `mediaUpload`. Returns undefined if
 * `mediaUpload` is missing, even if `supportsMediaUpload` is set, because that
 * flag does not declare an upload protocol.
 */
export function buildUpload(raw: RawMethod): Upload | undefined {
  if (raw.mediaUpload === undefined) return undefined;
  const { accept, maxSize, protocols } = raw.mediaUpload;
  const simple = buildProtocol(protocols?.simple);
  const resumable = buildProtocol(protocols?.resumable);
  const maxBytes = maxSize === undefined ? undefined : byteSize(maxSize);
  return {
    accept: [...(accept ?? [])],
    ...(maxSize === undefined ? {} : { maxSize }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(simple === undefined ? {} : { simple }),
    ...(resumable === undefined ? {} : { resumable }),
  };
}

function buildProtocol(
  raw: RawProtocol | undefined,
): UploadProtocol | undefined {
  return raw?.path === undefined
    ? undefined
    : { path: raw.path, multipart: raw.multipart === true };
}

/**
 * Builds the download of a method; undefined unless the method's content can be
 * requested with `alt=media`.
 */
export function buildDownload(raw: RawMethod): Download | undefined {
  return raw.supportsMediaDownload === true
    ? { service: raw.useMediaDownloadService === true }
    : undefined;
}
