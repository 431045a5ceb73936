import { describe, expect, it } from "vitest";
import {
  dataWrapper,
  jsonBody,
  tokenPagination,
  type Descriptor,
  type PagedCall,
} from "../../../src/runtime/client/index.js";
import { client, failure, json, make, recorder } from "./helpers.js";

const create: Partial<Descriptor> = { httpMethod: "POST", body: jsonBody };

async function send(descriptor: Partial<Descriptor>, parameters: object) {
  const { sent, fetch } = recorder();
  await make(descriptor)(client(fetch), parameters);
  return sent[0]!;
}

describe("request", () => {
  it("sends the body as JSON", async () => {
    const { init, headers } = await send(create, {
      requestBody: { a: [null] },
    });
    expect(init.method).toBe("POST");
    expect(init.body).toBe('{"a":[null]}');
    expect(headers).toEqual({ "content-type": "application/json" });
  });

  it.each([[{}], [null], [0], [""], [false]])(
    "sends the body %j",
    async (requestBody) => {
      expect((await send(create, { requestBody })).init.body).toBe(
        JSON.stringify(requestBody),
      );
    },
  );

  it("sends neither body nor content type nor alt without a body", async () => {
    const { init, headers, target } = await send(create, {});
    expect(init.body).toBeUndefined();
    expect(headers).toEqual({});
    expect(target).toBe("/drive/v3/files");
  });

  it("sends the API version", async () => {
    const { headers } = await send(
      { headers: { "x-goog-api-version": "2024-01" } },
      {},
    );
    expect(headers).toEqual({ "x-goog-api-version": "2024-01" });
  });

  it("defaults to GET", async () => {
    expect((await send({}, {})).init.method).toBe("GET");
  });

  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;

  it.each([
    [create, cycle],
    [create, { a: 1n }],
    [{ body: jsonBody }, {}],
    [{ httpMethod: "HEAD", body: jsonBody }, {}],
  ])(
    "rejects a body that cannot be sent (%#)",
    async (descriptor, requestBody) => {
      const { sent, fetch } = recorder();
      const call = make(descriptor)(client(fetch), { requestBody });
      const error = await failure(call);
      expect(error).toMatchObject({ kind: "request", name: "ApiError" });
      expect(error.cause).toBeInstanceOf(TypeError);
      expect(sent).toEqual([]);
    },
  );

  it("merges headers: the call's, the client's, the method's", async () => {
    const { sent, fetch } = recorder();
    const headers = new Headers({ "X-A": "client", "X-B": "client" });
    await make(create)(
      client(fetch, { headers }),
      { requestBody: 1 },
      { headers: { "x-b": "call", "Content-Type": "text/x" } },
    );
    expect(sent[0]?.headers).toEqual({
      "x-a": "client",
      "x-b": "call",
      "content-type": "text/x",
    });
    expect([...headers]).toHaveLength(2);
  });

  it("does not show the value of an invalid header", async () => {
    const headers = { authorization: "Bearer secret\nx" };
    const error = await failure(
      make()(client(recorder().fetch), {}, { headers }),
    );
    expect(error).toMatchObject({ kind: "request" });
    expect(describeAll(error)).not.toContain("secret");
  });
});

describe("response", () => {
  const answer = (body: BodyInit | null, type?: string, status = 200) =>
    new Response(body === null ? null : new Blob([body as string]), {
      status,
      ...(type === undefined ? {} : { headers: { "content-type": type } }),
    });

  it.each<[string, Response, unknown]>([
    ["JSON", answer('{"a":1}', "application/json; charset=UTF-8"), { a: 1 }],
    ["+json", answer("[1]", "application/problem+json"), [1]],
    ["null", answer("null", "application/json"), null],
    ["JSON without a type", answer('"x"'), "x"],
    ["JSON labelled as text", answer('{"a":1}', "text/plain"), { a: 1 }],
    ["empty JSON", answer("", "application/json"), undefined],
    ["empty text", answer("", "text/plain"), undefined],
    ["empty bytes", answer("", "image/png"), undefined],
    ["204", answer(null, undefined, 204), undefined],
    ["205", answer(null, undefined, 205), undefined],
  ])("reads %s", async (_, response, expected) => {
    expect(await make()(client(recorder(response).fetch))).toEqual(expected);
  });

  it.each([
    ["text/html", "<html><title>Sign in</title>"],
    ["text/csv", "a,b"],
    ["image/png", "png"],
  ])("rejects a 2xx with %s", async (type, body) => {
    const { fetch } = recorder(answer(body, type));
    const error = await failure(make()(client(fetch)));
    expect(error).toMatchObject({ kind: "decode", status: 200, body });
    expect(error.message).toContain(`expected JSON; received ${type}: ${body}`);
  });

  it("rejects pages that are not JSON instead of ending the list", async () => {
    const { fetch } = recorder(answer("<html>", "text/html"));
    const list = make<PagedCall<object, string>>({
      use: [tokenPagination({ items: "files" })],
    });
    const items = async () => {
      for await (const item of list(client(fetch))) expect(item).toBeNull();
    };
    await expect(items()).rejects.toMatchObject({ kind: "decode" });
  });

  it.each(['{"a":', "<html>", ")]}'\n{}"])(
    "rejects %j as JSON",
    async (body) => {
      const { fetch } = recorder(
        answer(body + "x".repeat(3000), "application/json"),
      );
      const error = await failure(make()(client(fetch)));
      expect(error).toMatchObject({ kind: "decode", status: 200 });
      expect(error.body).toHaveLength(2000);
      expect(error.body.startsWith(body)).toBe(true);
      expect(error.cause).toBeInstanceOf(SyntaxError);
    },
  );
});

describe("dataWrapper", () => {
  const wrapped = (...answers: Response[]) => {
    const { sent, fetch } = recorder(...answers);
    return { sent, client: client(fetch, {}, { wrap: dataWrapper }) };
  };

  it("wraps request bodies and unwraps response bodies", async () => {
    const { sent, client } = wrapped(json({ data: { b: 2 } }));
    const call = make(create)(client, { requestBody: { a: 1 } });
    expect(await call).toEqual({ b: 2 });
    expect(sent[0]?.init.body).toBe('{"data":{"a":1}}');
  });

  it("does not change bodies that are already wrapped or have no wrapper", async () => {
    const { sent, client } = wrapped(json({ b: 2 }), json(null));
    const requestBody = { data: 1 };
    expect(await make(create)(client, { requestBody })).toEqual({ b: 2 });
    expect(sent[0]?.init.body).toBe('{"data":1}');
    expect(await make()(client)).toBeNull();
  });
});

/** Returns the full log text of an error. */
function describeAll(error: Error): string {
  return [
    error.message,
    error.stack,
    JSON.stringify(error),
    String(error.cause),
  ].join();
}
