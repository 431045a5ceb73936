import { ApiError } from "../../../generated/runtime/server/index.js";
import type {
  ChatContentPart,
  ChatMessage,
} from "../../../generated/chat/v1/schemas.js";
import type { ChatBody } from "./backend.js";

/** Maximum number of sequences in `stop`. */
const MAX_STOPS = 4;

/** Returns a 400 error about a member of the request body. */
export function badMember(
  location: string,
  problem: string,
  code?: string,
): ApiError {
  const message = `Body member ${location} ${problem}.`;
  return new ApiError(400, message, {
    code,
    problems: [{ message, location, locationType: "body" }],
  });
}

/**
 * Checks the rules that the description does not contain: a minimum number of
 * messages, a maximum number of stop sequences, and the members of content
 * parts.
 *
 * @throws ApiError 400 if a rule is violated
 */
export function checkBody(body: ChatBody): void {
  if (body.messages.length === 0)
    throw badMember("messages", "must contain at least one message");
  for (const [index, { content }] of body.messages.entries())
    if (Array.isArray(content))
      for (const [at, part] of content.entries())
        checkPart(part, `messages[${index}].content[${at}]`);
  if (stopsOf(body).length > MAX_STOPS)
    throw badMember("stop", `must contain at most ${MAX_STOPS} strings`);
}

/** Checks that a part contains the member for its type. */
function checkPart(
  { type, text, image_url: image, input_audio: audio }: ChatContentPart,
  location: string,
): void {
  if (type === "text" && text === undefined)
    throw badMember(`${location}.text`, "must be a string");
  if (type === "image_url" && image === undefined)
    throw badMember(`${location}.image_url.url`, "must be a string");
  if (type === "input_audio" && audio === undefined)
    throw badMember(`${location}.input_audio.data`, "must be a string");
}

/** Returns the stop sequences of a request. */
export function stopsOf({ stop }: ChatBody): readonly string[] {
  return typeof stop === "string" ? [stop] : (stop ?? []);
}

/**
 * Returns the text of a message. Content parts that are not text are ignored.
 */
export function textOf({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  return (content ?? [])
    .map(({ type, text }) => (type === "text" ? (text ?? "") : ""))
    .join("");
}

/**
 * Returns the text of the last user message. If no user message exists, returns
 * the text of the last message.
 */
export function lastUserText({ messages }: ChatBody): string {
  const users = messages.filter(({ role }) => role === "user");
  const message = users.at(-1) ?? messages.at(-1);
  return message === undefined ? "" : textOf(message);
}
