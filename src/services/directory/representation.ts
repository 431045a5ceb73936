import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { digestOf, CompressedBody } from "./compressed-body.js";

/** Media type of the API's responses. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** Supported content codings, in order of preference. */
const CODINGS = ["br", "gzip"] as const;

/** Content coding of a response. */
export type Coding = (typeof CODINGS)[number] | "identity";

const ALL_CODINGS: readonly Coding[] = ["identity", ...CODINGS];

/**
 * Maximum size in bytes of a body that is compressed with brotli. Larger bodies
 * would need too much memory.
 */
const MAX_BROTLI = 512 * 1024;

/** Minimum size in bytes of a response that is compressed. */
const MIN_SIZE = 1024;

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

/** Body in one content coding, with its entity tag. */
export interface EncodedBody {
  readonly body: Buffer;
  readonly etag: string;
  readonly coding: Coding;
}

/** Cacheable response that can be sent in several content codings. */
export class Representation {
  readonly contentType: string;
  /**
   * Size in bytes of the body if this object stores it uncompressed. 0 for a
   * compressed document, because the catalogue stores its bytes.
   */
  readonly heldBytes: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly #source: Buffer | CompressedBody;
  readonly #size: number;
  /** Digest of the body, from which all entity tags are derived. */
  readonly #tag: string;
  readonly #encodedBodies = new Map<
    Coding,
    EncodedBody | Promise<EncodedBody>
  >();

  constructor(
    source: Buffer | CompressedBody,
    contentType: string,
    headers: Readonly<Record<string, string>>,
  ) {
    const isStored = source instanceof CompressedBody;
    this.#source = source;
    this.#size = isStored ? source.size : source.length;
    this.#tag = isStored ? source.digest : digestOf(source);
    this.heldBytes = isStored ? 0 : source.length;
    this.contentType = contentType;
    this.headers = headers;
    if (isStored)
      this.#encodedBodies.set(
        "gzip",
        this.#encodedBody("gzip", source.compressed),
      );
    else
      this.#encodedBodies.set(
        "identity",
        this.#encodedBody("identity", source),
      );
  }

  /**
   * Returns the first matching entity tag in `If-None-Match`. The tags of all
   * content codings match, because all codings have the same content.
   */
  matchingTag(ifNoneMatch: string | undefined): string | undefined {
    if (ifNoneMatch === undefined) return undefined;
    if (ifNoneMatch.trim() === "*") return this.#etag("identity");
    for (const [, tag] of ifNoneMatch.matchAll(/(?:W\/)?("[^"]*")/g))
      if (tag !== undefined && this.#hasTag(tag)) return tag;
    return undefined;
  }

  /**
   * Returns the body for an `Accept-Encoding` header; synchronously if it is
   * cached.
   *
   * @param onGrow called with the size in bytes of each newly compressed body
   */
  encode(
    acceptEncoding: string | undefined,
    onGrow: (bytes: number) => void,
  ): EncodedBody | Promise<EncodedBody> {
    const coding = this.#codingFor(acceptEncoding);
    const cached = this.#encodedBodies.get(coding);
    if (cached !== undefined) return cached;
    if (coding === "identity") return this.#identityBody();
    const pending = this.#compress(coding).then((form) => {
      this.#encodedBodies.set(coding, form);
      onGrow(form.body.length);
      return form;
    });
    this.#encodedBodies.set(coding, pending);
    pending.catch(() => this.#encodedBodies.delete(coding));
    return pending;
  }

  #codingFor(acceptEncoding: string | undefined): Coding {
    if (this.#size < MIN_SIZE) return "identity";
    if (this.#size <= MAX_BROTLI) return chooseCoding(acceptEncoding, CODINGS);
    return chooseCoding(acceptEncoding, ["gzip"]);
  }

  async #identityBody(): Promise<EncodedBody> {
    return this.#encodedBody("identity", await this.#bytes());
  }

  async #bytes(): Promise<Buffer> {
    const source = this.#source;
    return source instanceof CompressedBody ? source.read() : source;
  }

  async #compress(coding: "br" | "gzip"): Promise<EncodedBody> {
    const bytes = await this.#bytes();
    const body =
      coding === "gzip"
        ? await toGzip(bytes, { level: 6 })
        : await toBrotli(bytes, {
            params: {
              // Brotli's maximum quality, 11, would take several seconds for a
              // large document.
              [constants.BROTLI_PARAM_QUALITY]: 5,
              [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
            },
          });
    return this.#encodedBody(coding, body);
  }

  #encodedBody(coding: Coding, body: Buffer): EncodedBody {
    return { body, etag: this.#etag(coding), coding };
  }

  #etag(coding: Coding): string {
    return coding === "identity"
      ? `"${this.#tag}"`
      : `"${this.#tag}.${coding}"`;
  }

  #hasTag(tag: string): boolean {
    return ALL_CODINGS.some((coding) => tag === this.#etag(coding));
  }
}

/**
 * Returns the accepted content coding with the highest weight (RFC 9110
 * §12.5.3).
 */
export function chooseCoding(
  acceptEncoding: string | undefined,
  codings: readonly Coding[],
): Coding {
  if (acceptEncoding === undefined || acceptEncoding === "") return "identity";
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.split(",", 20)) {
    const [name = "", ...rest] = part.split(";");
    const weight = /^\s*q=([\d.]+)\s*$/i.exec(rest.join(";"))?.[1];
    weights.set(
      name.trim().toLowerCase(),
      weight === undefined ? 1 : Number(weight),
    );
  }
  const weightOf = (coding: string): number =>
    weights.get(coding) ?? weights.get("*") ?? 0;
  let best: Coding = "identity";
  let bestWeight = weights.get("identity") ?? 0;
  for (const coding of [...codings].reverse()) {
    const weight = weightOf(coding);
    if (weight > 0 && weight >= bestWeight)
      [best, bestWeight] = [coding, weight];
  }
  return best;
}
