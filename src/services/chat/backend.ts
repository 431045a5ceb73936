import type {
  ChatCompletionRequest,
  CompletionUsage,
  EmbeddingRequest,
} from "../../../generated/chat/v1/schemas.js";

/**
 * Validated request body. It can contain members that the schema does not
 * declare.
 */
export type ChatBody = ChatCompletionRequest &
  Required<Pick<ChatCompletionRequest, "model" | "messages">>;

/** Validated request body for embeddings. */
export type EmbeddingBody = EmbeddingRequest &
  Required<Pick<EmbeddingRequest, "model" | "input">>;

/** JSON object in a response, including all members that the backend sent. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Token usage of a request. All three counts are required. */
export type Usage = Required<CompletionUsage>;

/** Request that is passed to a backend. */
export interface Job {
  /** Unchanged text of the request body. */
  readonly text: string;
  /**
   * Signal that is aborted when the caller disconnects or the service closes.
   */
  readonly signal: AbortSignal;
  /** Time of the start by the clock of `performance.now()`. */
  readonly started: number;
  /** Writes an event of the backend to the log. */
  readonly report: (event: string, facts: JsonObject) => void;
}

/** Request for a chat completion. */
export interface CompletionJob extends Job {
  readonly body: ChatBody;
  /** Unique id of the completion. */
  readonly id: string;
  /** Creation time in seconds since 1970. */
  readonly created: number;
  /** Records the usage in a chunk that the caller does not receive. */
  readonly onHiddenChunk: (chunk: JsonObject) => void;
}

/** Request for embeddings. */
export interface EmbeddingJob extends Job {
  readonly body: EmbeddingBody;
}

/** Backend that creates chat completions and embeddings. */
export interface Backend {
  /**
   * Maximum duration of a response in milliseconds; undefined if it is
   * unlimited.
   */
  readonly maxDuration?: number;
  /**
   * Returns the complete response.
   *
   * @throws ApiError for an error that may be shown to the caller
   */
  complete(job: CompletionJob): Promise<JsonObject>;
  /**
   * Streams the response in chunks. If an error occurs before the first chunk,
   * the caller receives an error response.
   */
  stream(job: CompletionJob): AsyncIterable<JsonObject>;
  /**
   * Returns the embeddings. Absent if the backend has none.
   *
   * @throws ApiError for an error that may be shown to the caller
   */
  embed?(job: EmbeddingJob): Promise<JsonObject>;
  /** Returns the state of the upstreams; absent if the backend has none. */
  health?(): BackendHealth;
}

/** State of the upstreams of a backend. */
export interface BackendHealth {
  /** Number of open circuit breakers. */
  readonly open: number;
  /**
   * True if the circuit breakers of all upstreams are open, and none may be
   * tested yet.
   */
  readonly isPaused: boolean;
}
