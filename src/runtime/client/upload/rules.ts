import type { Invocation } from "../contract.js";
import type { Source } from "./source.js";
import type { UploadKind, UploadMedia } from "./types.js";

/** How a method uploads (document field `mediaUpload`). */
export interface UploadRules {
  /** Path for `media` and `multipart` (`protocols.simple.path`). */
  readonly simple?: string;
  /** Path for `resumable`, used where `simple` is absent (`protocols.resumable.path`). */
  readonly resumable?: string;
  /** Whether metadata and content may go in one request (`protocols.simple.multipart`). */
  readonly multipart?: boolean;
  /** Types that are accepted, such as `image/*`. Default: all. */
  readonly accept?: readonly string[];
  /** Size at most, such as `5120GB` (units of 1024). Default: no limit. */
  readonly maxSize?: string;
}

/** The type of the content: the caller's, else the Blob's. */
export function typeOf({ body, mimeType }: UploadMedia): string {
  const own = body instanceof Blob ? body.type : "";
  return mimeType || own || "application/octet-stream";
}

/** @throws TypeError for a type that the method does not accept. */
export function checkType(type: string, { accept = [] }: UploadRules): void {
  const bare = type.replace(/;[^]*/, "").trim().toLowerCase();
  const fits = accept.some((range) => {
    const wanted = range.toLowerCase();
    if (wanted === "*/*" || wanted === bare) return true;
    return wanted.endsWith("/*") && bare.startsWith(wanted.slice(0, -1));
  });
  if (accept.length && !fits)
    throw new TypeError(
      `media of type ${bare} is not accepted, only ${accept.join(", ")}`,
    );
}

/** @throws RangeError for more bytes than the method takes. */
export function checkSize(size: number, { maxSize }: UploadRules): void {
  if (maxSize && size > parseSize(maxSize))
    throw new RangeError(`media of ${size} bytes is over ${maxSize}`);
}

/** Bytes: `10MB` are 10 · 1024². What is no size is no limit. */
export function parseSize(text: string): number {
  const [, digits, unit] =
    /^(\d+(?:\.\d+)?)\s*([KMGTPE]?)i?B?$/i.exec(text.trim()) ?? [];
  if (digits === undefined) return Infinity;
  const power = " KMGTPE".indexOf(unit?.toUpperCase() || " ");
  return Number(digits) * 1024 ** power;
}

/** Bytes up to which `auto` sends everything in one request. */
const AUTO_LIMIT = 8_388_608;

/**
 * The way of an upload, by the caller's wish or by size and what is offered;
 * of its own accord it takes only ways that the description offers.
 *
 * @throws TypeError for a wish that the method does not offer, and for one
 *   that would lose the metadata.
 */
export function chooseKind(
  { options, parameters }: Invocation,
  rules: UploadRules,
  { size = Infinity }: Source,
): Exclude<UploadKind, "auto"> {
  const { upload = "auto", session } = options;
  const metadata = parameters["requestBody"] !== undefined;
  const whole = metadata ? "multipart" : "media";
  const simple = rules.simple !== undefined;
  const possible: Record<string, unknown> = {
    media: simple && !metadata,
    multipart: simple && rules.multipart,
    // Many servers take what their descriptions do not offer.
    resumable: simple || rules.resumable !== undefined,
  };
  const fits = possible[whole] && size <= AUTO_LIMIT;
  const auto = session || (rules.resumable && !fits) ? "resumable" : whole;
  const kind = upload === "auto" ? auto : upload;
  if (!possible[kind])
    throw new TypeError(`this call cannot upload as ${kind}`);
  return kind;
}
