import { createChat, isApiError } from "../../../generated/chat/v1/index.js";
import type {
  ChatContentPart,
  ChatClient,
  ChatCompletion,
  ChatMessage,
  Model,
} from "../../../generated/chat/v1/index.js";
import { get } from "../../../generated/chat/v1/resources/models.js";
import { createClient } from "../../../generated/chat/v1/service.js";

export const chat: ChatClient = createChat({
  auth: () => Promise.resolve("token"),
  rootUrl: "https://chat.example.com/",
  headers: { "x-team": "docs" },
  timeout: 60_000,
});

/** A call that returns its value. */
export async function ask(question: string): Promise<string | undefined> {
  const messages: ChatMessage[] = [{ role: "user", content: question }];
  const completion: ChatCompletion = await chat.chat.completions.create({
    requestBody: { model: "small", messages, temperature: 0.2 },
  });
  return completion.choices?.[0]?.message?.content ?? undefined;
}

/** The value with its response, and a signal. */
export async function listModels(
  signal: AbortSignal,
): Promise<readonly Model[]> {
  const { data, response } = await chat.models
    .list({}, { signal })
    .withResponse();
  return response.status === 200 ? (data.data ?? []) : [];
}

/** A call without parameters, and its error. */
export async function exists(model: string): Promise<boolean> {
  try {
    await chat.models.list();
    return (await get(createClient(), { model })).id === model;
  } catch (error) {
    if (isApiError(error) && error.status === 404) return false;
    throw error;
  }
}

/** Enums are open, since servers can add values. */
export const newKind: ChatContentPart = { type: "video" };

/** Alternatives: a text, or parts; with the members of the role. */
export const conversation: ChatMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: [{ type: "text", text: "Hello" }] },
  { role: "assistant", tool_calls: [] },
  { role: "assistant", content: null },
  // @ts-expect-error a text or an array of parts
  { role: "user", content: 42 },
  // @ts-expect-error content is missing
  { role: "user" },
  // @ts-expect-error an unknown role
  { role: "critic", content: "No." },
  // @ts-expect-error only messages of the assistant have tool calls
  { role: "user", content: "", tool_calls: [] },
];

/** The role narrows the type. */
export function textOf(message: ChatMessage): string {
  if (message.role === "user") {
    const { content } = message;
    return typeof content === "string" ? content : (content[0]?.text ?? "");
  }
  return "";
}

export function mistakes(completion: ChatCompletion): unknown[] {
  return [
    // @ts-expect-error the parameter `model` is missing
    chat.models.get({}),
    // @ts-expect-error a call with required parameters needs an object
    chat.models.get(),
    // @ts-expect-error no such parameter
    chat.models.get({ model: "small", modle: "small" }),
    // @ts-expect-error a string, not a number
    chat.models.get({ model: 1 }),
    // @ts-expect-error no such method
    chat.models.delete({ model: "small" }),
    // @ts-expect-error no such resource
    chat.completions,
    // @ts-expect-error the body's `messages` is missing
    chat.chat.completions.create({ requestBody: { model: "small" } }),
    // @ts-expect-error this method has no pages
    chat.models.list().pages(),
    // @ts-expect-error results are read
    (completion.id = "other"),
    // @ts-expect-error no such option
    createChat({ rooturl: "https://chat.example.com/" }),
  ];
}
