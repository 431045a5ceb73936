/* eslint-disable */
// biome-ignore-all lint: generated

import type { Invocation } from "../contract.js";
import type { Source } from "./source.js";
import type { UploadKind, UploadMedia } from "./types.js";

/** Upload rules of a method (document field `mediaUpload`). */
export interface UploadRules {
  /** Path for `media` and `multipart` (`protocols.simple.path`). */
  readonly simple?: string;
  /**
   * Path for `resumable`, used where `simple` is absent
   * (`protocols.resumable.path`).
   */
  readonly resumable?: string;
  /**
   * `true` if one request can send metadata and content
   * (`protocols.simple.multipart`).
   */
  readonly multipart?: boolean;
  /** Accepted media types, such as `image/*`. Default: all. */
  readonly accept?: readonly string[];
  /** Maximum size, such as `5120GB` (GB = 1024³ bytes). Default: no limit. */
  readonly maxSize?: string;
}

/**
 * Returns the media type of the content: the caller's type, otherwise that of
 * the Blob.
 */
export function typeOf({ body, mimeType }: UploadMedia): string {
  const blobType = body instanceof Blob ? body.type : "";
  return mimeType || blobType || "application/octet-stream";
}

/** @throws TypeError for a media type that the method does not accept. */
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

/** @throws RangeError for more bytes than the method accepts. */
export function checkSize(size: number, { maxSize }: UploadRules): void {
  if (maxSize && size > parseSize(maxSize))
    throw new RangeError(
      `media must not exceed ${maxSize}; received ${size} bytes`,
    );
}

/**
 * Parses a size as a number of bytes: `10MB` is 10 · 1024². Returns `Infinity`
 * for invalid text.
 */
export function parseSize(text: string): number {
  const [, digits, unit] =
    /^(\d+(?:\.\d+)?)\s*([KMGTPE]?)i?B?$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return Infinity;
  const power = " KMGTPE".indexOf(unit?.toUpperCase() || " ");
  return Number(digits) * 1024 ** power;
}

/**
 * Returns the kind of an upload: the caller's option if set, otherwise a kind
 * that the description declares, depending on the size.
 *
 * @throws TypeError for an option that the method does not support or that
 *   would lose the metadata.
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
    // Many servers support resumable uploads that their descriptions do not
    // declare.
    resumable: simple || resumable,
  };
  // Up to 8 MiB, one request takes less time than the two requests of a
  // session.
  const fits = possible[direct] && size <= 8_388_608;
  const auto = session || (resumable && !fits) ? "resumable" : direct;
  const kind = upload === "auto" ? auto : upload;
  if (!possible[kind])
    throw new TypeError(`this call does not support upload: ${kind}`);
  return kind;
}
