import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Media type of answers of the API. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** Codings of an answer, the one to prefer first. */
const CODINGS = ["br", "gzip"] as const;

/** How the bytes of an answer are packed. */
export type Coding = (typeof CODINGS)[number] | "identity";

/** Bytes below which packing costs more than it saves. */
const MIN_SIZE = 1024;

const toGzip = promisify(gzip);
const toBrotli = promisify(brotliCompress);

/** A form of an answer: its bytes and headers, ready to be sent. */
export interface Form {
  readonly body: Buffer;
  readonly etag: string;
  readonly coding: Coding;
}

/** An answer that may be sent again, packed for whoever can unpack it. */
export class Representation {
  readonly contentType: string;
  readonly body: Buffer;
  /** Without quotes; the same for the same bytes. */
  readonly tag: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #plain: Form;
  readonly #forms = new Map<Coding, Form | Promise<Form>>();

  constructor(
    body: Buffer,
    contentType: string,
    headers: Readonly<Record<string, string>>,
  ) {
    this.body = body;
    this.contentType = contentType;
    this.headers = headers;
    this.tag = createHash("sha256")
      .update(body)
      .digest("base64url")
      .slice(0, 27);
    this.#plain = { body, etag: `"${this.tag}"`, coding: "identity" };
  }

  /**
   * The entity tag of the caller's copy, if it is good still. A copy in any
   * coding is: a tag names its bytes, and all of them unpack to the same.
   */
  match(ifNoneMatch: string | undefined): string | undefined {
    if (ifNoneMatch === undefined) return undefined;
    if (ifNoneMatch.trim() === "*") return this.#plain.etag;
    for (const [, tag] of ifNoneMatch.matchAll(/(?:W\/)?("[^"]*")/g))
      if (tag !== undefined && this.#isMine(tag)) return tag;
    return undefined;
  }

  /** The form for an `Accept-Encoding`; at once where it is there. `grew` is told the bytes of a new one. */
  form(
    acceptEncoding: string | undefined,
    grew: (bytes: number) => void,
  ): Form | Promise<Form> {
    if (this.body.length < MIN_SIZE) return this.#plain;
    const coding = chooseCoding(acceptEncoding);
    if (coding === "identity") return this.#plain;
    const known = this.#forms.get(coding);
    if (known !== undefined) return known;
    const made = this.#make(coding, grew);
    this.#forms.set(coding, made);
    return made;
  }

  async #make(
    coding: "br" | "gzip",
    grew: (bytes: number) => void,
  ): Promise<Form> {
    const body =
      coding === "gzip"
        ? await toGzip(this.body, { level: 6 })
        : await toBrotli(this.body, {
            params: {
              // 11 takes seconds for a large document.
              [constants.BROTLI_PARAM_QUALITY]: 5,
              [constants.BROTLI_PARAM_SIZE_HINT]: this.body.length,
            },
          });
    const form = { body, etag: `"${this.tag}.${coding}"`, coding };
    this.#forms.set(coding, form);
    grew(body.length);
    return form;
  }

  #isMine(tag: string): boolean {
    return (
      tag === this.#plain.etag ||
      CODINGS.some((coding) => tag === `"${this.tag}.${coding}"`)
    );
  }
}

/** The coding that a caller wants most, of those that it takes (RFC 9110 §12.5.3). */
export function chooseCoding(acceptEncoding: string | undefined): Coding {
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
  let most = weights.get("identity") ?? 0;
  for (const coding of [...CODINGS].reverse()) {
    const weight = weightOf(coding);
    if (weight > 0 && weight >= most) [best, most] = [coding, weight];
  }
  return best;
}
