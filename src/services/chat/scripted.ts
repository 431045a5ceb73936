import type { Backend, Job } from "./backend.js";
import { choicesOf, cut, ECHO_TOKENS, promptTokens } from "./echo.js";
import {
  localBackend,
  tokensOfTurn,
  usageOf,
  type Plan,
  type Turn,
} from "./local.js";
import type { Rule } from "./rules.js";
import { ApiError } from "../../../generated/runtime/server/index.js";
import { lastUserText, textOf } from "./messages.js";

/** Answers as the first rule that fits says. */
export function scriptedBackend(rules: readonly Rule[]): Backend {
  const uses = new Map<Rule, number>();
  return localBackend((job) => {
    const rule = rules.find(
      (one) =>
        (one.times === undefined || (uses.get(one) ?? 0) < one.times) &&
        fits(one, job),
    );
    if (rule === undefined)
      throw new ApiError(422, "No rule of the script fits the request.");
    if (rule.times !== undefined) uses.set(rule, (uses.get(rule) ?? 0) + 1);
    return planOf(rule, job);
  });
}

function fits({ role, test }: Rule, { body }: Job): boolean {
  if (role === undefined) return test(lastUserText(body));
  const last = body.messages.at(-1)!;
  return last.role === role && test(textOf(last));
}

function planOf(rule: Rule, job: Job): Plan {
  const { delay, chunkDelay, error } = rule;
  const turn = turnOf(rule, job);
  const choices = choicesOf(job.body, turn);
  const made = choices.reduce((sum, one) => sum + tokensOfTurn(one), 0);
  const failure = error && {
    error: new ApiError(error.status, error.message, error.extras),
    after: error.after,
  };
  return {
    choices,
    usage: usageOf(promptTokens(job.body), made),
    fingerprint: "fp_scripted",
    delay,
    chunkDelay,
    failure,
  };
}

function turnOf({ answer, refusal, toolCalls, finish }: Rule, job: Job): Turn {
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
  const turn = cut(answer ?? "", job.body, share);
  return { ...turn, finish: finish ?? turn.finish };
}
