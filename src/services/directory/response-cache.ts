import type {
  Incoming,
  Outgoing,
  Server,
} from "../../../generated/runtime/server/index.js";
import { factsOf, noteRequest, type RequestFacts } from "../log.js";
import { ByteCache } from "./byte-cache.js";
import type { DirectoryConfig } from "./config.js";
import { badHost, closing, failed } from "./error-responses.js";
import { originOf } from "./origin.js";
import { PlainRequest } from "./unconditional-request.js";
import { Representation, type Form } from "./representation.js";

/** Bytes of answers that are kept, packed forms included. */
const KEPT_BYTES = 10 * 1024 * 1024;

/** Longer targets are answered, but not kept. */
const MAX_TARGET = 1024;

/** What the front asks for answers. */
export interface Behind {
  readonly server: Server;
  /** A target in the form that the generated server has; undefined where it has that form. */
  unalias(target: string, host: string): string | undefined;
  /** An answer for people; undefined where the path is none of theirs. */
  page(
    target: string,
    origin: string,
  ): Outgoing | Promise<Outgoing> | undefined;
}

/** An answer, and what the log tells of each request that gets it. */
interface Answered<T> {
  readonly answer: T;
  readonly facts: RequestFacts;
}

/** One that can be sent again. */
type Kept = Answered<Representation>;

type Found = Kept | Answered<Outgoing>;

/**
 * Stands before the generated server and the pages: keeps whole answers by
 * origin and target, and sends them as the caller can take them: not at all
 * (304), or packed.
 */
export class Front {
  readonly #behind: Behind;
  readonly #config: DirectoryConfig;
  readonly #kept = new ByteCache<Kept>(KEPT_BYTES);
  readonly #pending = new Map<string, Promise<Found>>();
  #generation = 0;
  #isClosed = false;

  constructor(behind: Behind, config: DirectoryConfig) {
    this.#behind = behind;
    this.#config = config;
  }

  /** What was kept is out of date. */
  clear(): void {
    this.#generation++;
    this.#kept.clear();
    this.#pending.clear();
  }

  /** Refuses what comes from now on. */
  close(): void {
    this.#isClosed = true;
    this.clear();
  }

  /** Answers a request. Never throws nor rejects. */
  handle(request: Incoming): Outgoing | Promise<Outgoing> {
    if (this.#isClosed) return closing();
    const origin = originOf(request, this.#config);
    if (origin === undefined) return badHost();
    const { method, target } = request;
    if (method !== "GET" && method !== "HEAD")
      return this.#pass(request, origin);
    const key = `${origin} ${target}`;
    const kept = this.#kept.get(key);
    return kept === undefined
      ? this.#answer(request, origin, key)
      : this.#send(kept, request, key);
  }

  async #answer(
    request: Incoming,
    origin: string,
    key: string,
  ): Promise<Outgoing> {
    try {
      const found = await this.#once(request, origin, key);
      if (isKept(found)) return await this.#send(found, request, key);
      const { answer, facts } = found;
      noteRequest(request, facts);
      return { ...answer, headers: { ...answer.headers } };
    } catch {
      return failed();
    }
  }

  /** The same answer is not made twice at once. */
  #once(request: Incoming, origin: string, key: string): Promise<Found> {
    const pending = this.#pending.get(key);
    if (pending !== undefined) return pending;
    const generation = this.#generation;
    const made = this.#make(request, origin).finally(() => {
      if (this.#pending.get(key) === made) this.#pending.delete(key);
    });
    this.#pending.set(key, made);
    const keep = (found: Found): void => {
      const isCurrent = generation === this.#generation;
      if (isKept(found) && isCurrent && key.length <= MAX_TARGET)
        this.#kept.set(key, found, found.answer.held + 2 * key.length + 500);
    };
    made.then(keep, () => {});
    return made;
  }

  async #make(request: Incoming, origin: string): Promise<Found> {
    const { server, page } = this.#behind;
    const target = this.#targetOf(request, origin);
    const shown = await page(target, origin);
    const plain = new PlainRequest(request, "GET", target);
    const answer = shown ?? open(await server.handle(plain));
    const { status, headers, body } = answer;
    const { "content-type": type, "content-length": _, ...others } = headers;
    const source = plain.stored ?? sourceOf(body);
    const facts = factsOf(plain);
    if (status !== 200 || source === undefined || type === undefined)
      return { answer, facts };
    if (plain.stored !== undefined) await leave(body);
    return { answer: new Representation(source, type, others), facts };
  }

  async #pass(request: Incoming, origin: string): Promise<Outgoing> {
    const target = this.#targetOf(request, origin);
    const { method } = request;
    const isPage =
      method !== "OPTIONS" && /^\/(?:$|\?|apis\/|assets\/)/.test(target);
    if (isPage) return { status: 405, headers: { allow: "GET, HEAD" } };
    const answer = await this.#behind.server.handle(
      new PlainRequest(request, method, target),
    );
    return open(answer);
  }

  #targetOf({ target }: Incoming, origin: string): string {
    const host = origin.slice(origin.indexOf("://") + 3);
    return this.#behind.unalias(target, host) ?? target;
  }

  #send(
    kept: Kept,
    request: Incoming,
    key: string,
  ): Outgoing | Promise<Outgoing> {
    const { answer, facts } = kept;
    noteRequest(request, facts);
    const match = answer.match(request.header("if-none-match"));
    if (match !== undefined)
      return {
        status: 304,
        headers: { ...answer.headers, etag: match, vary: VARY },
      };
    const form = answer.form(request.header("accept-encoding"), (bytes) =>
      this.#kept.grow(key, kept, bytes),
    );
    return form instanceof Promise
      ? form.then((later) => whole(answer, later), failed)
      : whole(answer, form);
  }
}

const VARY = "accept-encoding";

function isKept(found: Found): found is Kept {
  return found.answer instanceof Representation;
}

/** Answers of the API may be read by pages of all origins, and are fresh for a while. */
function open(answer: Outgoing): Outgoing {
  const { status, headers } = answer;
  return {
    ...answer,
    headers: {
      ...(status === 200 ? { "cache-control": "public, max-age=300" } : {}),
      ...headers,
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "etag",
      "x-content-type-options": "nosniff",
    },
  };
}

function whole(kept: Representation, { body, etag, coding }: Form): Outgoing {
  const headers: Record<string, string> = {
    ...kept.headers,
    "content-type": kept.contentType,
    etag,
    vary: VARY,
  };
  if (coding !== "identity") headers["content-encoding"] = coding;
  return { status: 200, headers, body };
}

/** What can be sent again; a stream can't. */
function sourceOf(body: Outgoing["body"]): Buffer | undefined {
  if (typeof body === "string") return Buffer.from(body);
  return body instanceof Uint8Array ? asBuffer(body) : undefined;
}

/** Tells a stream that nobody will read it. */
async function leave(body: Outgoing["body"]): Promise<void> {
  if (typeof body === "object" && !(body instanceof Uint8Array))
    await body[Symbol.asyncIterator]().return?.();
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
