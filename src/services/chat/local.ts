import { setTimeout as sleep } from "node:timers/promises";
import type { ApiError } from "../../../generated/runtime/server/index.js";
import type { Backend, CompletionJob, JsonObject, Usage } from "./backend.js";
import { countTokens, tokensOf } from "./tokens.js";

/** Tool call in a response. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Arguments of the tool call, as the text of a JSON object. */
  readonly arguments: string;
}

/** Text and tool calls of a choice in a response. */
export interface Choice {
  readonly text: string | null;
  readonly refusal?: string | undefined;
  readonly toolCalls?: readonly ToolCall[] | undefined;
  readonly finish: string;
}

/** Complete response, which a backend computes in advance. */
export interface LocalCompletion {
  readonly choices: readonly Choice[];
  readonly usage: Usage;
  readonly fingerprint: string;
  /** Delay in milliseconds before the response. */
  readonly delay?: number | undefined;
  /** Delay in milliseconds between two chunks. */
  readonly chunkDelay?: number | undefined;
  /**
   * Error that is sent instead of the response. In a stream, the error can be
   * sent after a number of chunks.
   */
  readonly failure?:
    | { readonly error: ApiError; readonly after?: number | undefined }
    | undefined;
}

/**
 * Returns a backend that computes the complete response before it sends the
 * first chunk.
 */
export function localBackend(
  completionOf: (job: CompletionJob) => LocalCompletion,
): Backend {
  return {
    async complete(job) {
      const local = completionOf(job);
      await pause(local.delay, job.signal);
      if (local.failure !== undefined) throw local.failure.error;
      return responseOf(local, job);
    },
    stream: (job) => streamChunks(completionOf(job), job),
  };
}

async function* streamChunks(
  local: LocalCompletion,
  job: CompletionJob,
): AsyncGenerator<JsonObject> {
  const { delay, chunkDelay, failure } = local;
  await pause(delay, job.signal);
  let count = 0;
  for (const chunk of chunks(local, job)) {
    if (failure !== undefined && count >= (failure.after ?? 0))
      throw failure.error;
    if (count++ > 0) await pause(chunkDelay, job.signal);
    yield chunk;
  }
  if (failure !== undefined) throw failure.error;
}

async function pause(
  time: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  if (time !== undefined && time > 0) await sleep(time, undefined, { signal });
}

function responseOf(local: LocalCompletion, job: CompletionJob): JsonObject {
  return {
    id: job.id,
    object: "chat.completion",
    created: job.created,
    model: job.body.model,
    choices: local.choices.map((choice, index) => ({
      index,
      message: messageOf(choice),
      logprobs: null,
      finish_reason: choice.finish,
    })),
    usage: local.usage,
    system_fingerprint: local.fingerprint,
  };
}

function messageOf({ text, refusal, toolCalls }: Choice): JsonObject {
  const message = {
    role: "assistant",
    content: text,
    refusal: refusal ?? null,
  };
  if (toolCalls === undefined) return message;
  const calls = toolCalls.map(({ id, name, arguments: text }) => ({
    id,
    type: "function",
    function: { name, arguments: text },
  }));
  return { ...message, tool_calls: calls };
}

function* chunks(
  local: LocalCompletion,
  job: CompletionJob,
): Generator<JsonObject> {
  const wantsUsage = job.body.stream_options?.include_usage === true;
  const chunk = (choices: readonly JsonObject[]): JsonObject => ({
    id: job.id,
    object: "chat.completion.chunk",
    created: job.created,
    model: job.body.model,
    choices,
    ...(wantsUsage ? { usage: null } : {}),
    system_fingerprint: local.fingerprint,
  });
  for (const [index, choice] of local.choices.entries()) {
    const piece = (delta: JsonObject, finish: string | null): JsonObject =>
      chunk([{ index, delta, logprobs: null, finish_reason: finish }]);
    for (const delta of deltas(choice)) yield piece(delta, null);
    yield piece({}, choice.finish);
  }
  if (wantsUsage) yield { ...chunk([]), usage: local.usage };
}

function* deltas(choice: Choice): Generator<JsonObject> {
  const { text, refusal, toolCalls = [] } = choice;
  yield { role: "assistant", content: text === null ? null : "" };
  for (const content of tokensOf(text ?? "")) yield { content };
  for (const piece of tokensOf(refusal ?? "")) yield { refusal: piece };
  for (const [index, call] of toolCalls.entries()) {
    const { id, name } = call;
    const first = { name, arguments: "" };
    yield { tool_calls: [{ index, id, type: "function", function: first }] };
    for (const piece of tokensOf(call.arguments))
      yield { tool_calls: [{ index, function: { arguments: piece } }] };
  }
}

/**
 * Returns a usage object. Its total is the sum of prompt tokens and response
 * tokens.
 */
export function usageOf(prompt: number, responseOf: number): Usage {
  return {
    prompt_tokens: prompt,
    completion_tokens: responseOf,
    total_tokens: prompt + responseOf,
  };
}

/**
 * Counts the tokens of a choice: its text, its refusal and the arguments of its
 * tool calls.
 */
export function tokensOfChoice({
  text,
  refusal,
  toolCalls = [],
}: Choice): number {
  return [
    text ?? "",
    refusal ?? "",
    ...toolCalls.map((call) => call.arguments),
  ].reduce((sum, text) => sum + countTokens(text), 0);
}
