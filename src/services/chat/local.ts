import { setTimeout as sleep } from "node:timers/promises";
import type { ApiError } from "../../../generated/runtime/server/index.js";
import type { Backend, Job, JsonObject, Usage } from "./backend.js";
import { countTokens, tokensOf } from "./tokens.js";

/** A call of a tool that an answer asks for. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The text of a JSON object. */
  readonly arguments: string;
}

/** What one choice says. */
export interface Turn {
  readonly text: string | null;
  readonly refusal?: string | undefined;
  readonly toolCalls?: readonly ToolCall[] | undefined;
  readonly finish: string;
}

/** An answer that a back end of the service's own gives. */
export interface Plan {
  readonly choices: readonly Turn[];
  readonly usage: Usage;
  readonly fingerprint: string;
  /** Milliseconds before the answer, and between its chunks. */
  readonly delay?: number | undefined;
  readonly chunkDelay?: number | undefined;
  /** Takes the place of the answer, or of what follows so many chunks of it. */
  readonly failure?:
    | { readonly error: ApiError; readonly after?: number | undefined }
    | undefined;
}

/** A back end that knows its answer before it starts to give it. */
export function localBackend(planOf: (job: Job) => Plan): Backend {
  return {
    async complete(job) {
      const plan = planOf(job);
      await pause(plan.delay, job.signal);
      if (plan.failure !== undefined) throw plan.failure.error;
      return completion(plan, job);
    },
    stream: (job) => streamed(planOf(job), job),
  };
}

async function* streamed(plan: Plan, job: Job): AsyncGenerator<JsonObject> {
  const { delay, chunkDelay, failure } = plan;
  await pause(delay, job.signal);
  let count = 0;
  for (const chunk of chunks(plan, job)) {
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

function completion(plan: Plan, job: Job): JsonObject {
  return {
    id: job.id,
    object: "chat.completion",
    created: job.created,
    model: job.body.model,
    choices: plan.choices.map((turn, index) => ({
      index,
      message: messageOf(turn),
      logprobs: null,
      finish_reason: turn.finish,
    })),
    usage: plan.usage,
    system_fingerprint: plan.fingerprint,
  };
}

function messageOf({ text, refusal, toolCalls }: Turn): JsonObject {
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

function* chunks(plan: Plan, job: Job): Generator<JsonObject> {
  const wantsUsage = job.body.stream_options?.include_usage === true;
  const chunk = (choices: readonly JsonObject[]): JsonObject => ({
    id: job.id,
    object: "chat.completion.chunk",
    created: job.created,
    model: job.body.model,
    choices,
    ...(wantsUsage ? { usage: null } : {}),
    system_fingerprint: plan.fingerprint,
  });
  for (const [index, turn] of plan.choices.entries()) {
    const piece = (delta: JsonObject, finish: string | null): JsonObject =>
      chunk([{ index, delta, logprobs: null, finish_reason: finish }]);
    for (const delta of deltas(turn)) yield piece(delta, null);
    yield piece({}, turn.finish);
  }
  if (wantsUsage) yield { ...chunk([]), usage: plan.usage };
}

function* deltas(turn: Turn): Generator<JsonObject> {
  const { text, refusal, toolCalls = [] } = turn;
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

/** The counts of an answer: prompt and completion, and their sum. */
export function usageOf(prompt: number, completion: number): Usage {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}

/** Tokens of a choice: what it says, and the arguments of its calls. */
export function tokensOfTurn({ text, refusal, toolCalls = [] }: Turn): number {
  return [
    text ?? "",
    refusal ?? "",
    ...toolCalls.map((call) => call.arguments),
  ].reduce((sum, one) => sum + countTokens(one), 0);
}
