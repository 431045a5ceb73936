import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect } from "vitest";
import { createChat, isApiError } from "../../../generated/chat/v1/index.js";
import {
  validateChatCompletion,
  validateChatCompletionRequest,
} from "../../../generated/chat/v1/validators.js";
import { listen } from "../../../src/services/host.js";
import { start } from "../../../src/services/chat/index.js";
import { memoryStore } from "../../../src/services/store/open.js";
import { ROOT } from "../../support/paths.js";
import { acceptance, type Statement } from "../acceptance.js";
import type { Draft } from "../format/library.js";
import { request, type Received } from "../services.js";

const service = await start({
  store: memoryStore(),
  now: Date.now,
  log: () => undefined,
  folder: undefined,
  config: {
    keys: [
      {
        name: "tests",
        key: `sha256:${createHash("sha256").update("test-key").digest("hex")}`,
      },
    ],
    models: { "test-model": "echo", other: "echo" },
  },
});
const host = await listen([Object.assign(service, { name: "chat" })]);
afterAll(() => host.close());
const { origin } = host;
const URL_OF_CHAT = `${origin}/v1/chat/completions`;
const HEADERS = {
  authorization: "Bearer test-key",
  "content-type": "application/json",
};

const USER = { role: "user", content: "Hello" };
const body = { model: "test-model", messages: [USER] };
const post = (value: unknown, headers: object = HEADERS): Promise<Received> =>
  request(URL_OF_CHAT, {
    method: "POST",
    headers: headers as Record<string, string>,
    body: typeof value === "string" ? value : JSON.stringify(value),
  });
const spec: Draft = JSON.parse(
  readFileSync(path.join(ROOT, "specs/chat.v1.json"), "utf8"),
);
const client = createChat({ rootUrl: `${origin}/`, auth: "test-key" });
const completed = await post(body);

/** Type of a field of a request; values of the type, and others. */
interface RequestField {
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly set: (value: unknown) => object;
  readonly valid: readonly unknown[];
  readonly invalid: readonly unknown[];
}

const message = (value: object): object => ({
  ...body,
  messages: [{ ...USER, ...value }],
});
const fields: readonly RequestField[] = [
  {
    path: "model",
    type: "string",
    required: true,
    set: (model) => ({ ...body, model }),
    valid: ["test-model"],
    invalid: [1, true, {}],
  },
  {
    path: "stream",
    type: "boolean",
    required: false,
    set: (stream) => ({ ...body, stream }),
    valid: [false, true],
    invalid: ["true", 1],
  },
  {
    path: "messages",
    type: "array of objects",
    required: true,
    set: (messages) => ({ ...body, messages }),
    valid: [[USER], [USER, USER]],
    invalid: ["Hello", USER, ["Hello"]],
  },
  {
    path: "messages[].role",
    type: "string",
    required: true,
    set: (role) => message({ role }),
    valid: ["system", "user"],
    invalid: [1, "stranger"],
  },
  {
    path: "messages[].content",
    type: "string",
    required: false,
    set: (content) => message({ content }),
    valid: ["", "Hello"],
    invalid: [42, true],
  },
];

const requestStatements: readonly Statement[] = [
  ...fields.flatMap(
    ({ path: name, type, required, set, valid, invalid }): Statement[] => [
      {
        id: `chat/request/${name}/accepted`,
        statement: `A request may have \`${name}\`: ${type}.`,
        check: async () => {
          for (const value of valid)
            expect((await post(set(value))).status).toBe(200);
        },
      },
      {
        id: `chat/request/${name}/refused`,
        statement: `A value of \`${name}\` that is not ${type} is refused.`,
        check: async () => {
          for (const value of invalid) {
            const { status, json } = await post(set(value));
            expect(status, JSON.stringify(value)).toBe(400);
            expect(json.error.param).toContain(name.split("[")[0]);
          }
        },
      },
      {
        id: `chat/request/${name}/described`,
        statement: `The description declares \`${name}\`.`,
        check: () => {
          for (const value of valid)
            expect(validateChatCompletionRequest(set(value))).toMatchObject({
              valid: true,
            });
          const [member = "", inner] = name.split("[].");
          const { properties } = spec.schemas.ChatCompletionRequest;
          expect(properties).toHaveProperty(member);
          if (inner !== undefined)
            for (const { $ref } of spec.schemas.ChatMessage["x-one-of"])
              expect(spec.schemas[$ref].properties).toHaveProperty(inner);
        },
      },
      ...(required
        ? [
            {
              id: `chat/request/${name}/required`,
              statement: `A request without \`${name}\` is refused.`,
              check: async () =>
                expect((await post(set(undefined))).status).toBe(400),
            },
          ]
        : []),
    ],
  ),
  {
    id: "chat/request/stream/absent",
    statement: "Without `stream` the response is complete.",
    check: () =>
      expect(completed.headers.get("content-type")).toMatch(
        /^application\/json/,
      ),
  },
  {
    id: "chat/request/stream/true",
    statement: "With `stream` true the response is streamed.",
    check: async () => {
      const { headers, text } = await post({ ...body, stream: true });
      expect(headers.get("content-type")).toMatch(/^text\/event-stream/);
      expect(text).toMatch(/^data: \{/);
    },
  },
  {
    id: "chat/request/stream/end",
    statement: "A stream of chunks ends with the event `[DONE]`.",
    decision: "Chat",
    check: async () =>
      expect((await post({ ...body, stream: true })).text).toMatch(
        /\n\ndata: \[DONE\]\n\n$/,
      ),
  },
  {
    id: "chat/request/stream/client",
    statement: "The generated client iterates over the chunks of a stream.",
    check: async () => {
      let text = "";
      const requestBody = { ...body, stream: true as const };
      for await (const chunk of client.chat.completions.create({
        requestBody,
      } as never) as AsyncIterable<Draft>)
        text += chunk.choices?.[0]?.delta?.content ?? "";
      expect(text).toBe("Hello");
    },
  },
  {
    id: "chat/request/messages/order",
    statement: "The order of messages counts.",
    check: async () => {
      const of = async (...texts: string[]): Promise<string> => {
        const messages = texts.map((content) => ({ role: "user", content }));
        const { json } = await post({ ...body, messages });
        return json.choices[0].message.content;
      };
      expect(await of("one", "two")).toBe("two");
      expect(await of("two", "one")).toBe("one");
    },
  },
  {
    id: "chat/request/messages/empty",
    statement: "A request with an empty list of messages is refused.",
    decision: "Chat",
    check: async () =>
      expect((await post({ ...body, messages: [] })).status).toBe(400),
  },
  ...["developer", "assistant", "tool", "function"].map((role) => ({
    id: `chat/request/messages[].role/${role}`,
    statement: `A message may have the role \`${role}\`.`,
    decision: "Chat",
    check: async () => {
      const more = role === "tool" ? { tool_call_id: "call-1" } : { name: "f" };
      const messages = [USER, { role, content: "Text", ...more }];
      expect((await post({ ...body, messages })).status).toBe(200);
    },
  })),
  {
    id: "chat/request/messages[].content/empty",
    statement: "The text of a message may be empty.",
    check: async () => {
      const { status, json } = await post(message({ content: "" }));
      expect(status).toBe(200);
      expect(json.choices[0].message.content).toBe("");
    },
  },
  {
    id: "chat/request/other",
    statement: "Other members of a request are accepted.",
    decision: "Chat",
    check: async () =>
      expect((await post({ ...body, extra: 1 })).status).toBe(200),
  },
];

const serviceStatements: readonly Statement[] = [
  {
    id: "chat/service/completion",
    statement: "The response to a model and messages is a completion.",
    check: () => {
      expect(completed.status).toBe(200);
      expect(
        validateChatCompletion(completed.json, { mode: "response" }),
      ).toMatchObject({ valid: true });
      expect(completed.json.choices[0].message).toMatchObject({
        role: "assistant",
        content: "Hello",
      });
    },
  },
  {
    id: "chat/service/model",
    statement: "The completion names the model of the request.",
    check: async () => {
      expect(completed.json.model).toBe("test-model");
      expect((await post({ ...body, model: "other" })).json.model).toBe(
        "other",
      );
    },
  },
  {
    id: "chat/service/unknown-model",
    statement: "A model that the service does not have is refused.",
    decision: "Chat",
    check: async () =>
      expect((await post({ ...body, model: "none" })).status).toBe(404),
  },
];

const endpoints: readonly Statement[] = [
  {
    id: "chat/endpoint/path",
    statement: "Completions are the responses to POST `/v1/chat/completions`.",
    check: () => {
      const { create } = spec.resources.chat.resources.completions.methods;
      expect([create.httpMethod, create.path]).toEqual([
        "POST",
        "v1/chat/completions",
      ]);
      expect(completed.status).toBe(200);
    },
  },
  {
    id: "chat/endpoint/method",
    statement: "The path refuses GET.",
    check: async () =>
      expect((await request(URL_OF_CHAT, { headers: HEADERS })).status).toBe(
        405,
      ),
  },
  {
    id: "chat/endpoint/client",
    statement: "The generated client calls the path.",
    check: async () => {
      const requestBody = { ...body, messages: [{ ...USER, role: "user" }] };
      const { choices } = (await client.chat.completions.create({
        requestBody,
      } as never)) as Draft;
      expect(choices[0].message.content).toBe("Hello");
    },
  },
  {
    id: "chat/endpoint/base-url",
    statement: "The base URL of the path can be chosen.",
    check: async () => {
      const urls: string[] = [];
      const { chat } = createChat({
        rootUrl: "https://x.test/base/",
        auth: "test-key",
        retry: false,
        fetch: (input: RequestInfo | URL) => {
          urls.push(String(input));
          return Promise.resolve(Response.json({}));
        },
      } as never);
      await chat.completions.create({ requestBody: body } as never);
      expect(urls).toEqual(["https://x.test/base/v1/chat/completions"]);
    },
  },
  {
    id: "chat/endpoint/content-type/json",
    statement: "A body of the type `application/json` is accepted.",
    check: () => expect(completed.status).toBe(200),
  },
  {
    id: "chat/endpoint/content-type/client",
    statement: "The generated client sends `Content-Type: application/json`.",
    check: async () => {
      let type: string | null = null;
      const { chat } = createChat({
        rootUrl: `${origin}/`,
        auth: "test-key",
        fetch: (input: RequestInfo | URL, init?: RequestInit) => {
          type = new Headers(init?.headers).get("content-type");
          return fetch(input, init);
        },
      } as never);
      await chat.completions.create({ requestBody: body } as never);
      expect(type).toMatch(/^application\/json/);
    },
  },
  ...(
    [
      ["text", "text/plain", 200],
      ["form", "application/x-www-form-urlencoded", 415],
      ["xml", "application/xml", 415],
    ] as const
  ).map(([name, type, status]) => ({
    id: `chat/endpoint/content-type/${name}`,
    statement: `A body of the type \`${type}\` ${status === 200 ? "is accepted" : "is refused with 415"}.`,
    decision: "Content types",
    check: async () =>
      expect(
        (await post(body, { ...HEADERS, "content-type": type })).status,
      ).toBe(status),
  })),
  {
    id: "chat/endpoint/content-type/none",
    statement: "A body without a type is accepted.",
    decision: "Content types",
    check: async () => {
      const { status } = await request(URL_OF_CHAT, {
        method: "POST",
        headers: { authorization: HEADERS.authorization },
        body: new TextEncoder().encode(JSON.stringify(body)),
      });
      expect(status).toBe(200);
    },
  },
];

const authentication: readonly Statement[] = [
  {
    id: "chat/authentication/bearer",
    statement: "The key is sent as `Authorization: Bearer`.",
    check: () => expect(completed.status).toBe(200),
  },
  ...(
    [
      ["missing", undefined],
      ["unknown", "Bearer other-key"],
      ["empty", "Bearer "],
      ["scheme", "Basic test-key"],
      ["bare", "test-key"],
    ] as const
  ).map(([name, authorization]) => ({
    id: `chat/authentication/${name}`,
    statement: `A request is refused if its key is ${name === "scheme" ? "of another scheme" : name === "bare" ? "sent without a scheme" : name}.`,
    check: async () => {
      const { status } = await post(body, {
        "content-type": "application/json",
        ...(authorization === undefined ? {} : { authorization }),
      });
      expect(status).toBe(401);
    },
  })),
  {
    id: "chat/authentication/client",
    statement: "The generated client sends its key.",
    check: async () => {
      const anonymous = createChat({ rootUrl: `${origin}/`, auth: "no" });
      const call = anonymous.chat.completions.create({
        requestBody: body,
      } as never);
      const error = await Promise.resolve(call).catch((thrown) => thrown);
      expect(isApiError(error) && error.status).toBe(401);
    },
  },
  {
    id: "chat/authentication/described",
    statement: "The description declares the header and its scheme.",
    check: () =>
      expect(spec["x-credential"]).toMatchObject({
        in: "header",
        name: "Authorization",
        schemes: ["Bearer"],
      }),
  },
];

const errors: readonly Statement[] = [
  {
    id: "chat/errors/form",
    statement:
      "An error has a message, a type, a code and the member of the request.",
    decision: "Chat",
    check: async () => {
      const { json } = await post({ messages: [USER] });
      expect(json.error).toMatchObject({
        message: expect.any(String),
        type: "invalid_request_error",
        param: "model",
        code: "missing_required_parameter",
      });
    },
  },
  {
    id: "chat/errors/json",
    statement: "A body that is not JSON is a 400.",
    decision: "Chat",
    check: async () => expect((await post("{")).status).toBe(400),
  },
];

const versioning: readonly Statement[] = [
  {
    id: "chat/versioning/path",
    statement: "The path has the version `v1`.",
    check: async () => {
      const { status } = await request(`${origin}/chat/completions`, {
        method: "POST",
        headers: HEADERS,
        body: JSON.stringify(body),
      });
      expect(status).toBe(404);
    },
  },
];

acceptance({ seed: 2, section: "What the service does" }, serviceStatements);
acceptance({ seed: 2, section: "Chat request body" }, requestStatements);
acceptance({ seed: 2, section: "Endpoints" }, endpoints);
acceptance({ seed: 2, section: "Authentication" }, authentication);
acceptance({ seed: 2, section: "Errors" }, errors);
acceptance({ seed: 2, section: "Versioning" }, versioning);
