// Validators of the chat API, used together with its client.
import { isValid } from "../../../generated/runtime/validator/index.js";
import type { ChatCompletion } from "../../../generated/chat/v1/index.js";
import {
  validateChatCompletion,
  validateChatCompletionsCreateRequest,
} from "../../../generated/chat/v1/validators.js";

export function read(body: unknown): ChatCompletion {
  const result = validateChatCompletion(body, { partial: true });
  if (result.valid) return result.value;
  // @ts-expect-error only a valid result has a value
  result.value.toString();
  const [first] = result.errors;
  throw new Error(`${first?.pointer}: ${first?.message} (${first?.code})`);
}

export function modelOf(body: unknown): string | undefined {
  // @ts-expect-error its type is unknown before validation
  body.model.toString();
  return isValid(validateChatCompletionsCreateRequest, body)
    ? body.model
    : undefined;
}

// @ts-expect-error there are two modes
validateChatCompletion({}, { mode: "answer" });
