import type {
  ChatCompletionRequest,
  CompletionUsage,
} from "../../../generated/chat/v1/schemas.js";

/** A request's body after the checks, members that no schema has included. */
export type ChatBody = ChatCompletionRequest &
  Required<Pick<ChatCompletionRequest, "model" | "messages">>;

/** What an answer is made of, with all members that a back end gave it. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Tokens that a request used, all three counts known. */
export type Usage = Required<CompletionUsage>;

/** A completion to be made. */
export interface Job {
  readonly body: ChatBody;
  /** The body as it was sent. */
  readonly text: string;
  /** Unique, also for equal requests. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** Aborted when the caller is gone, or the service ends. */
  readonly signal: AbortSignal;
}

/** What makes completions. */
export interface Backend {
  /** Milliseconds that it may take for an answer, where it has such a bound. */
  readonly longest?: number;
  /**
   * The completion at once.
   *
   * @throws ApiError for failures that callers may know of
   */
  complete(job: Job): Promise<JsonObject>;
  /** The completion in chunks. What it throws before the first is an ordinary answer. */
  stream(job: Job): AsyncIterable<JsonObject>;
}
