import { isObject } from "../../diagnostics/json.js";
import { ApiError } from "../../../generated/runtime/server/index.js";
import type { ChatMessage } from "../../../generated/chat/v1/schemas.js";
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
 * Checks the rules that a schema can't express for message contents, stop
 * sequences and tools.
 *
 * @throws ApiError 400 if a rule is violated
 */
export function checkBody(body: ChatBody): void {
  if (body.messages.length === 0)
    throw badMember("messages", "must contain at least one message");
  body.messages.forEach(checkMessage);
  stopsOf(body);
  checkToolChoice(body.tool_choice);
}

/** Roles whose messages must have content. */
const ROLES_WITH_CONTENT = new Set(["developer", "system", "user"]);

function checkMessage({ role, content }: ChatMessage, index: number): void {
  const location = `messages[${index}].content`;
  if (typeof content === "string") return;
  if (Array.isArray(content))
    return content.forEach((part, at) => checkPart(part, `${location}[${at}]`));
  if (content !== undefined && content !== null)
    throw badMember(location, "must be a string, an array of parts or null");
  if (!ROLES_WITH_CONTENT.has(role ?? "")) return;
  if (content === null)
    throw badMember(location, "must be a string or an array of parts");
  throw badMember(location, "is missing", "missing_required_parameter");
}

/**
 * Map from a type of content part to the name of its required string member.
 * For example, a part of type `image_url` must have the member `image_url.url`.
 */
const PART_MEMBERS: Readonly<Record<string, string>> = {
  image_url: "url",
  input_audio: "data",
};

function checkPart(part: unknown, location: string): void {
  if (!isObject(part)) throw badMember(location, "must be an object");
  const { type } = part;
  if (typeof type !== "string")
    throw badMember(`${location}.type`, "must be a string");
  if (type === "text" && typeof part["text"] !== "string")
    throw badMember(`${location}.text`, "must be a string");
  const member = Object.hasOwn(PART_MEMBERS, type)
    ? PART_MEMBERS[type]
    : undefined;
  if (member === undefined) return;
  const value = part[type];
  if (!isObject(value) || typeof value[member] !== "string")
    throw badMember(`${location}.${type}.${member}`, "must be a string");
}

/**
 * Returns the stop sequences of a request.
 *
 * @throws ApiError 400 if `stop` is invalid
 */
export function stopsOf({ stop }: ChatBody): readonly string[] {
  if (stop === undefined || stop === null) return [];
  if (typeof stop === "string") return [stop];
  const isList =
    Array.isArray(stop) && stop.every((element) => typeof element === "string");
  if (!isList)
    throw badMember("stop", "must be a string, an array of strings or null");
  if (stop.length > MAX_STOPS)
    throw badMember("stop", `must contain at most ${MAX_STOPS} strings`);
  return stop as string[];
}

function checkToolChoice(choice: unknown): void {
  const isValid =
    choice === undefined ||
    choice === null ||
    typeof choice === "string" ||
    isObject(choice);
  if (!isValid) throw badMember("tool_choice", "must be a string or an object");
}

/**
 * Returns the text of a message. Content parts that are not text are ignored.
 */
export function textOf({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: { type?: unknown; text?: unknown }) =>
      part.type === "text" && typeof part.text === "string" ? part.text : "",
    )
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
