import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { digestOf, StoredBody } from "./compressed-body.js";

/** Media type of answers of the API. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** Codings of an answer, the one to prefer first. */
const CODINGS = ["br", "gzip"] as const;

/** How the bytes of an answer are packed. */
export type Coding = (typeof CODINGS)[number] | "identity";

const ALL_CODINGS: readonly Coding[] = ["identity", ...CODINGS];

/** Bytes above which brotli takes more memory than it is worth. */
const MAX_BROTLI = 512 * 1024;

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
  /** Bytes that it keeps in memory by itself. */
  readonly held: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly #source: Buffer | StoredBody;
  readonly #size: number;
  /** The same for the same bytes. */
  readonly #tag: string;
  readonly #forms = new Map<Coding, Form | Promise<Form>>();

  constructor(
    source: Buffer | StoredBody,
    contentType: string,
    headers: Readonly<Record<string, string>>,
  ) {
    const isStored = source instanceof StoredBody;
    this.#source = source;
    this.#size = isStored ? source.size : source.length;
    this.#tag = isStored ? source.digest : digestOf(source);
    this.held = isStored ? 0 : source.length;
    this.contentType = contentType;
    this.headers = headers;
    if (isStored) this.#forms.set("gzip", this.#formOf("gzip", source.packed));
    else this.#forms.set("identity", this.#formOf("identity", source));
  }

  /**
   * The entity tag of the caller's copy, if it is good still. A copy in any
   * coding is: a tag names its bytes, and all of them unpack to the same.
   */
  match(ifNoneMatch: string | undefined): string | undefined {
    if (ifNoneMatch === undefined) return undefined;
    if (ifNoneMatch.trim() === "*") return this.#etag("identity");
    for (const [, tag] of ifNoneMatch.matchAll(/(?:W\/)?("[^"]*")/g))
      if (tag !== undefined && this.#isMine(tag)) return tag;
    return undefined;
  }

  /** The form for an `Accept-Encoding`; at once where it is there. `grew` is told the bytes of a new one. */
  form(
    acceptEncoding: string | undefined,
    grew: (bytes: number) => void,
  ): Form | Promise<Form> {
    const coding = this.#codingFor(acceptEncoding);
    const known = this.#forms.get(coding);
    if (known !== undefined) return known;
    if (coding === "identity") return this.#plain();
    const made = this.#pack(coding).then((form) => {
      this.#forms.set(coding, form);
      grew(form.body.length);
      return form;
    });
    this.#forms.set(coding, made);
    made.catch(() => this.#forms.delete(coding));
    return made;
  }

  #codingFor(acceptEncoding: string | undefined): Coding {
    if (this.#size < MIN_SIZE) return "identity";
    if (this.#size <= MAX_BROTLI) return chooseCoding(acceptEncoding, CODINGS);
    return chooseCoding(acceptEncoding, ["gzip"]);
  }

  async #plain(): Promise<Form> {
    return this.#formOf("identity", await this.#bytes());
  }

  async #bytes(): Promise<Buffer> {
    const source = this.#source;
    return source instanceof StoredBody ? source.read() : source;
  }

  async #pack(coding: "br" | "gzip"): Promise<Form> {
    const bytes = await this.#bytes();
    const body =
      coding === "gzip"
        ? await toGzip(bytes, { level: 6 })
        : await toBrotli(bytes, {
            params: {
              // 11 takes seconds for a large document.
              [constants.BROTLI_PARAM_QUALITY]: 5,
              [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
            },
          });
    return this.#formOf(coding, body);
  }

  #formOf(coding: Coding, body: Buffer): Form {
    return { body, etag: this.#etag(coding), coding };
  }

  #etag(coding: Coding): string {
    return coding === "identity"
      ? `"${this.#tag}"`
      : `"${this.#tag}.${coding}"`;
  }

  #isMine(tag: string): boolean {
    return ALL_CODINGS.some((coding) => tag === this.#etag(coding));
  }
}

/** The coding that a caller wants most, of those that it takes (RFC 9110 §12.5.3). */
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
  let most = weights.get("identity") ?? 0;
  for (const coding of [...codings].reverse()) {
    const weight = weightOf(coding);
    if (weight > 0 && weight >= most) [best, most] = [coding, weight];
  }
  return best;
}
