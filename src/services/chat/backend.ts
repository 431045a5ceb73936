import type {
  ChatCompletionRequest,
  CompletionUsage,
} from "../../../generated/chat/v1/schemas.js";

/**
 * Validated request body. It can contain members that the schema does not
 * declare.
 */
export type ChatBody = ChatCompletionRequest &
  Required<Pick<ChatCompletionRequest, "model" | "messages">>;

/** JSON object in a response, including all members that the backend sent. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Token usage of a request. All three counts are required. */
export type Usage = Required<CompletionUsage>;

/** Request for a chat completion. */
export interface CompletionJob {
  readonly body: ChatBody;
  /** Unchanged text of the request body. */
  readonly text: string;
  /** Unique id of the completion. */
  readonly id: string;
  /** Creation time in seconds since 1970. */
  readonly created: number;
  /**
   * Signal that is aborted when the caller disconnects or the service closes.
   */
  readonly signal: AbortSignal;
}

/** Backend that creates chat completions. */
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
}
