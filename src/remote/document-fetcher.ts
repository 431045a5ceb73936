import type { Sink } from "../diagnostics/sink.js";
import { Directory, type ApiId } from "./directory.js";
import { DocumentCache, DocumentClient } from "./document-client.js";
import { parseRemoteUrl } from "./http/url-policy.js";
import {
  DocumentError,
  readRemoteDocument,
  type RemoteDocument,
} from "./remote-document.js";
import { RemoteError } from "./http/http-settings.js";
import {
  httpSettings,
  type ApiSource,
  type RemoteEnvironment,
} from "./remote-settings.js";
import type { RemoteOptions } from "./remote-options.js";

/**
 * Fetched document. If the request failed and the document was read from the
 * cache, `failure` is the error of the request.
 */
export interface FetchResult {
  readonly document: RemoteDocument;
  readonly failure?: RemoteError;
}

/** Client that fetches documents by URL, or by name and version. */
export class DocumentFetcher {
  readonly #client: DocumentClient;
  readonly #directoryUrl: string | undefined;
  #directory: Directory | undefined;

  /**
   * @param project folder of the project; a cache inside it is not used,
   *   because a repository could contain forged responses
   * @throws RemoteError if a header setting is invalid
   */
  constructor(
    options: RemoteOptions,
    project: string,
    environment: RemoteEnvironment = { env: process.env },
  ) {
    this.#client = new DocumentClient(
      httpSettings(options, environment),
      new DocumentCache(project),
      options.isOffline === true,
    );
    this.#directoryUrl = options.directory;
  }

  /**
   * Fetches the document of an API.
   *
   * @param allowStale true to use the cached document if the server is
   *   unavailable
   * @throws RemoteError if the request fails, DocumentError if the document is
   *   invalid
   */
  async fetch(
    { id, source }: ApiSource,
    allowStale = false,
  ): Promise<FetchResult> {
    if (source !== undefined) return this.#fetchUrl(source, allowStale);
    return this.#fetchListed(await this.#apiOf(id), allowStale);
  }

  /** @param expected name and version that the document must have */
  async #fetchUrl(
    text: string,
    allowStale: boolean,
    expected?: ApiId,
  ): Promise<FetchResult> {
    const url = parseRemoteUrl(text, this.#client.settings);
    const { value: document, ...failure } = await this.#client.get(url, {
      read: (bytes, type) => {
        const read = readRemoteDocument(bytes, url.href, type);
        if (expected !== undefined) checkApi(read, expected);
        return read;
      },
      allowStale,
    });
    return { document, ...failure };
  }

  /**
   * Requests the possible URLs of a document one after another, until one of
   * the responses is the document.
   */
  async #fetchListed(api: ApiId, allowStale: boolean): Promise<FetchResult> {
    const { urls, unknown } = await this.#listing().locate(api);
    const errors: unknown[] = [];
    for (const url of urls) {
      try {
        return await this.#fetchUrl(url, allowStale, api);
      } catch (error) {
        if (!isAbsent(error)) throw error;
        errors.push(error);
      }
    }
    // If a server is only unavailable, the document may still be published.
    const unavailable = errors.find(isUnavailable);
    if (unavailable !== undefined) throw unavailable;
    throw unknown === undefined
      ? errors[0]
      : new RemoteError("remote-unknown", unknown);
  }

  /**
   * Returns the versions of an API in the directory, such as `drive:v3`; none if
   * the directory is unavailable.
   */
  async versionsOf(name: string): Promise<readonly string[]> {
    try {
      return await this.#listing().versionsOf(name);
    } catch (error) {
      if (error instanceof RemoteError) return [];
      throw error;
    }
  }

  async #apiOf(id: string): Promise<ApiId> {
    const [name = "", version = ""] = id.split(":");
    if (name !== "" && version !== "") return { name, version };
    throw new RemoteError(
      "remote-unknown",
      await this.#listing().describeVersions(name),
    );
  }

  #listing(): Directory {
    return (this.#directory ??= new Directory(
      this.#directoryUrl,
      this.#client,
    ));
  }
}

function checkApi(document: RemoteDocument, expected: ApiId): void {
  const { name, version, url } = document;
  if (name === expected.name && version === expected.version) return;
  throw new RemoteError(
    "remote-mismatch",
    `the document at ${url} must describe ${expected.name}:${expected.version}, found ${name}:${version}`,
  );
}

/** Tests whether an error means that the document may be at another URL. */
function isAbsent(error: unknown): boolean {
  return (
    error instanceof DocumentError ||
    (error instanceof RemoteError &&
      ["remote-failed", "remote-response", "remote-offline"].includes(
        error.code,
      ))
  );
}

/** Tests whether a server responded that it is temporarily unavailable. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof RemoteError)) return false;
  const { status = 0 } = error;
  return status >= 500 || status === 429 || status === 408;
}

/**
 * Reports a failed request or an unusable response. Rethrows any other error,
 * because it indicates a bug.
 * @param label label of the API, at the start of the message
 */
export function reportRemote(error: unknown, label: string, sink: Sink): void {
  if (error instanceof RemoteError)
    sink.report(
      error.code,
      error.message.startsWith(label)
        ? error.message
        : `${label}: ${error.message}`,
    );
  else if (error instanceof DocumentError)
    sink.diagnostics.push(...error.diagnostics);
  else throw error;
}

/**
 * Reports that a file could not be written.
 * @param name path of the file, as shown in the message
 */
export function reportUnwritable(
  error: unknown,
  name: string,
  sink: Sink,
): void {
  sink.report("output-unwritable", `${name}: ${(error as Error).message}`);
}
/** Maximum number of concurrent requests. */
const MAX_REQUESTS = 4;

/**
 * Runs an asynchronous action for each item, with a limited number of actions
 * at the same time.
 */
export async function runParallel<T>(
  items: readonly T[],
  action: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const work = async (): Promise<void> => {
    for (const item of queue) await action(item);
  };
  await Promise.all(Array.from({ length: MAX_REQUESTS }, work));
}
