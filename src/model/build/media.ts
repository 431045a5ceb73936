import type { RawMethod, RawProtocol } from "../../load/raw.js";
import { byteSize } from "../infer/sizes.js";
import type { Download, Upload, UploadProtocol } from "../ir.js";

/** What `mediaUpload` offers; a bare `supportsMediaUpload` offers nothing known. */
export function buildUpload(raw: RawMethod): Upload | undefined {
  if (raw.mediaUpload === undefined) return undefined;
  const { accept, maxSize, protocols } = raw.mediaUpload;
  const simple = protocol(protocols?.simple);
  const resumable = protocol(protocols?.resumable);
  const maxBytes = maxSize === undefined ? undefined : byteSize(maxSize);
  return {
    accept: [...(accept ?? [])],
    ...(maxSize === undefined ? {} : { maxSize }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(simple === undefined ? {} : { simple }),
    ...(resumable === undefined ? {} : { resumable }),
  };
}

function protocol(raw: RawProtocol | undefined): UploadProtocol | undefined {
  return raw?.path === undefined
    ? undefined
    : { path: raw.path, multipart: raw.multipart === true };
}

/** Whether the method's result can be fetched as bytes with `alt=media`. */
export function buildDownload(raw: RawMethod): Download | undefined {
  return raw.supportsMediaDownload === true
    ? { service: raw.useMediaDownloadService === true }
    : undefined;
}
