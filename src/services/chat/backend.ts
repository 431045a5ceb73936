import type {
  ChatCompletionRequest,
  CompletionUsage,
} from "../../../generated/chat/v1/schemas.js";

/** Validated body of a request, including members that the schema does not declare. */
export type ChatBody = ChatCompletionRequest &
  Required<Pick<ChatCompletionRequest, "model" | "messages">>;

/** JSON object of a response, with all members from the backend. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Tokens that a request used, with all three counts. */
export type Usage = Required<CompletionUsage>;

/** Request for a completion. */
export interface CompletionJob {
  readonly body: ChatBody;
  /** Body as it was sent. */
  readonly text: string;
  /** Unique id of the completion. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** Aborted when the caller disconnects or the service closes. */
  readonly signal: AbortSignal;
}

/** Source of completions. */
export interface Backend {
  /** Limit of milliseconds for a response, if there is one. */
  readonly maxDuration?: number;
  /**
   * Returns the complete response.
   *
   * @throws ApiError for errors that callers may see
   */
  complete(job: CompletionJob): Promise<JsonObject>;
  /** Streams the response in chunks. An error before the first chunk becomes an error response. */
  stream(job: CompletionJob): AsyncIterable<JsonObject>;
}
