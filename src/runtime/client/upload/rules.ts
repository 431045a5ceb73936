import type { Invocation } from "../contract.js";
import type { Source } from "./source.js";
import type { UploadKind, UploadMedia } from "./types.js";

/** Upload rules of a method (`mediaUpload` in the API description). */
export interface UploadRules {
  /**
   * Path of uploads in a single request, that is, of the kinds `media` and
   * `multipart` (`protocols.simple.path` in the API description).
   */
  readonly simple?: string;
  /**
   * Path of resumable uploads (`protocols.resumable.path` in the API
   * description). Set only if `simple` is absent.
   */
  readonly resumable?: string;
  /**
   * `true` if metadata and content can be sent in one request
   * (`protocols.simple.multipart` in the API description).
   */
  readonly multipart?: boolean;
  /** Accepted media types, such as `image/*`. Default: all. */
  readonly accept?: readonly string[];
  /**
   * Maximum size, such as `5120GB` (GB means 1024³ bytes). Default: no limit.
   */
  readonly maxSize?: string;
}

/**
 * Returns the media type of the content: the type that the caller specified,
 * otherwise the type of the Blob, the `mimeType` of the metadata, or a default.
 */
export function typeOf(
  { body, mimeType }: UploadMedia,
  requestBody: unknown,
): string {
  const blobType = body instanceof Blob ? body.type : "";
  const declared = String(Object(requestBody).mimeType);
  return (
    mimeType ||
    blobType ||
    /^[!-.0-~]+\/[ -~]+$/.exec(declared)?.[0] ||
    (typeof body === "string" ? "text/plain" : "application/octet-stream")
  );
}

/** @throws TypeError if the method does not accept the media type. */
export function checkType(type: string, { accept = [] }: UploadRules): void {
  const plain = type.replace(/;[^]*/, "").trim().toLowerCase();
  const fits = accept.some((range) => {
    const accepted = range.toLowerCase();
    if (accepted === "*/*" || accepted === plain) return true;
    return accepted.endsWith("/*") && plain.startsWith(accepted.slice(0, -1));
  });
  if (accept.length && !fits)
    throw new TypeError(
      `media type must be ${accept.join(", ")}; received ${plain}`,
    );
}

/** @throws RangeError if the size in bytes exceeds the method's maximum. */
export function checkSize(size: number, { maxSize }: UploadRules): void {
  if (maxSize && size > parseSize(maxSize))
    throw new RangeError(
      `media must not exceed ${maxSize}; received ${size} bytes`,
    );
}

/**
 * Parses a size and returns the number of bytes; `10MB` is 10 × 1024². Returns
 * `Infinity` for invalid text.
 */
export function parseSize(text: string): number {
  const [, digits, unit] =
    /^(\d+(?:\.\d+)?)\s*([KMGTPE]?)i?B?$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return Infinity;
  const power = " KMGTPE".indexOf(unit?.toUpperCase() || " ");
  return Number(digits) * 1024 ** power;
}

/**
 * Returns the kind of an upload: the kind that the caller specified, otherwise
 * a kind that the API description declares and that suits the size.
 *
 * @throws TypeError for a kind that the method does not support, or that can't
 *   send the metadata.
 */
export function chooseKind(
  { options, parameters }: Invocation,
  rules: UploadRules,
  { size = Infinity }: Source,
): Exclude<UploadKind, "auto"> {
  const { upload = "auto", session } = options;
  const metadata = parameters["requestBody"] !== undefined;
  const direct = metadata ? "multipart" : "media";
  const { simple, resumable } = rules;
  const possible: Record<string, unknown> = {
    media: simple && !metadata,
    multipart: simple && rules.multipart,
    // Many servers support resumable uploads even though their API descriptions
    // do not declare them.
    resumable: simple || resumable,
  };
  // For up to 8 MiB, a single request takes less time than the two requests of
  // a resumable upload.
  const fits = possible[direct] && size <= 8_388_608;
  const auto = session || (resumable && !fits) ? "resumable" : direct;
  const kind = upload === "auto" ? auto : upload;
  if (!possible[kind])
    throw new TypeError(`the call does not support uploads of kind ${kind}`);
  return kind;
}
