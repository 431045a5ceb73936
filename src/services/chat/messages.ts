import { isObject } from "../../diagnostics/json.js";
import { ApiError } from "../../../generated/runtime/server/index.js";
import type { ChatMessage } from "../../../generated/chat/v1/schemas.js";
import type { ChatBody } from "./backend.js";

/** Sequences of `stop` at most. */
const MAX_STOPS = 4;

/** A 400 that names the member at fault. */
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
 * Looks at what the schema can't say: contents, which are text or parts, and stops.
 *
 * @throws ApiError 400
 */
export function checkBody(body: ChatBody): void {
  if (body.messages.length === 0)
    throw badMember("messages", "must hold at least one message");
  body.messages.forEach(checkMessage);
  stopsOf(body);
  checkToolChoice(body.tool_choice);
}

/** Roles whose messages are nothing without a content. */
const SPEAKERS = new Set(["developer", "system", "user"]);

function checkMessage({ role, content }: ChatMessage, index: number): void {
  const place = `messages[${index}].content`;
  if (typeof content === "string") return;
  if (Array.isArray(content))
    return content.forEach((part, at) => checkPart(part, `${place}[${at}]`));
  if (content !== undefined && content !== null)
    throw badMember(place, "must be a string, an array of parts or null");
  if (!SPEAKERS.has(role ?? "")) return;
  if (content === null)
    throw badMember(place, "must be a string or an array of parts");
  throw badMember(place, "is missing", "missing_required_parameter");
}

/** The member that a part of this type must have, and what of it must be text. */
const PARTS: Readonly<Record<string, string>> = {
  image_url: "url",
  input_audio: "data",
};

function checkPart(part: unknown, place: string): void {
  if (!isObject(part)) throw badMember(place, "must be an object");
  const { type } = part;
  if (typeof type !== "string")
    throw badMember(`${place}.type`, "must be a string");
  if (type === "text" && typeof part["text"] !== "string")
    throw badMember(`${place}.text`, "must be a string");
  const member = Object.hasOwn(PARTS, type) ? PARTS[type] : undefined;
  if (member === undefined) return;
  const value = part[type];
  if (!isObject(value) || typeof value[member] !== "string")
    throw badMember(`${place}.${type}.${member}`, "must be a string");
}

/**
 * The stop sequences of a request.
 *
 * @throws ApiError 400
 */
export function stopsOf({ stop }: ChatBody): readonly string[] {
  if (stop === undefined || stop === null) return [];
  if (typeof stop === "string") return [stop];
  const isList =
    Array.isArray(stop) && stop.every((one) => typeof one === "string");
  if (!isList)
    throw badMember("stop", "must be a string, an array of strings or null");
  if (stop.length > MAX_STOPS)
    throw badMember("stop", `must not hold more than ${MAX_STOPS} strings`);
  return stop as string[];
}

function checkToolChoice(choice: unknown): void {
  const isFine =
    choice === undefined ||
    choice === null ||
    typeof choice === "string" ||
    isObject(choice);
  if (!isFine) throw badMember("tool_choice", "must be a string or an object");
}

/** The text of a message; parts that are no text are left out. */
export function textOf({ content }: ChatMessage): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: { type?: unknown; text?: unknown }) =>
      part.type === "text" && typeof part.text === "string" ? part.text : "",
    )
    .join("");
}

/** The text of the last message of a user; of the last message where there is none. */
export function lastUserText({ messages }: ChatBody): string {
  const users = messages.filter(({ role }) => role === "user");
  const found = users.at(-1) ?? messages.at(-1);
  return found === undefined ? "" : textOf(found);
}
