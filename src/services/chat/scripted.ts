import type { Backend, CompletionJob } from "./backend.js";
import { repeatChoice, limitText, ECHO_TOKENS, promptTokens } from "./echo.js";
import {
  localBackend,
  tokensOfChoice,
  usageOf,
  type LocalCompletion,
  type Choice,
} from "./local.js";
import type { Rule } from "./rules.js";
import { ApiError } from "../../../generated/runtime/server/index.js";
import { lastUserText, textOf } from "./messages.js";

/**
 * Returns a backend that sends the response of the first matching rule of a
 * script.
 */
export function scriptedBackend(rules: readonly Rule[]): Backend {
  const uses = new Map<Rule, number>();
  return localBackend((job) => {
    const rule = rules.find(
      (candidate) =>
        (candidate.times === undefined ||
          (uses.get(candidate) ?? 0) < candidate.times) &&
        matches(candidate, job),
    );
    if (rule === undefined)
      throw new ApiError(422, "No rule of the script matches the request.");
    if (rule.times !== undefined) uses.set(rule, (uses.get(rule) ?? 0) + 1);
    return completionOf(rule, job);
  });
}

function matches({ role, test }: Rule, { body }: CompletionJob): boolean {
  if (role === undefined) return test(lastUserText(body));
  const last = body.messages.at(-1)!;
  return last.role === role && test(textOf(last));
}

function completionOf(rule: Rule, job: CompletionJob): LocalCompletion {
  const { delay, chunkDelay, error } = rule;
  const choice = choiceOf(rule, job);
  const choices = repeatChoice(job.body, choice);
  const completionTokens = choices.reduce(
    (sum, repeated) => sum + tokensOfChoice(repeated),
    0,
  );
  const failure = error && {
    error: new ApiError(error.status, error.message, error.extras),
    after: error.after,
  };
  return {
    choices,
    usage: usageOf(promptTokens(job.body), completionTokens),
    fingerprint: "fp_scripted",
    delay,
    chunkDelay,
    failure,
  };
}

function choiceOf(
  { answer, refusal, toolCalls, finish }: Rule,
  job: CompletionJob,
): Choice {
  if (toolCalls !== undefined) {
    const calls = toolCalls.map((call, index) => ({
      ...call,
      id: `call_${job.id.slice(-16)}_${index}`,
    }));
    return {
      text: answer ?? null,
      toolCalls: calls,
      finish: finish ?? "tool_calls",
    };
  }
  if (refusal !== undefined)
    return { text: null, refusal, finish: finish ?? "stop" };
  const share = Math.max(1, Math.floor(ECHO_TOKENS / (job.body.n ?? 1)));
  const choice = limitText(answer ?? "", job.body, share);
  return { ...choice, finish: finish ?? choice.finish };
}
