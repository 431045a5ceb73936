import { describe, expect, onTestFinished, test } from "vitest";
import { mock, type Mock, type MockOptions } from "../../src/index.js";
import { stateAfter } from "../../src/mock/actions.js";
import { description } from "../support/generate.js";

const text = { type: "string" };
const texts = { type: "array", items: text };
const job = { $ref: "Job" };
const JOB = "^projects/[^/]+/jobs/[^/]+$";

function path(name: string, pattern?: string): object {
  const required = { ...text, location: "path", required: true };
  return {
    [name]: pattern === undefined ? required : { ...required, pattern },
  };
}

function method(
  id: string,
  httpMethod: string,
  template: string,
  more: object = {},
): object {
  return {
    [id.split(".").at(-1)!]: { id, httpMethod, path: template, ...more },
  };
}

const named = { parameters: path("name", JOB) };
const inBucket = { ...path("bucket"), ...path("object") };
const from = { ...path("sourceBucket"), ...path("sourceObject") };
const to = { ...path("destinationBucket"), ...path("destinationObject") };

/** API with custom methods in the forms that documents of Google's APIs have. */
const DEPOT: Readonly<Record<string, unknown>> = description({
  name: "depot",
  parameters: { alt: { ...text, location: "query" } },
  schemas: {
    Job: {
      id: "Job",
      type: "object",
      properties: {
        name: text,
        title: text,
        state: {
          ...text,
          readOnly: true,
          enum: ["ENABLED", "PAUSED", "CANCELLED"],
        },
        labels: { type: "object", additionalProperties: text },
        tagIds: texts,
      },
    },
    SetLabels: {
      id: "SetLabels",
      type: "object",
      properties: { labels: { type: "object", additionalProperties: text } },
    },
    Modify: {
      id: "Modify",
      type: "object",
      properties: { addTagIds: texts, removeTagIds: texts },
    },
    Policy: {
      id: "Policy",
      type: "object",
      properties: { etag: text, members: texts },
    },
    SetPolicy: {
      id: "SetPolicy",
      type: "object",
      properties: { policy: { $ref: "Policy" } },
    },
    Results: { id: "Results", type: "object", properties: { names: texts } },
    Item: {
      id: "Item",
      type: "object",
      properties: {
        name: text,
        bucket: text,
        contentType: text,
        owner: text,
        size: { ...text, format: "uint64" },
        updated: { ...text, format: "date-time" },
      },
    },
    Rewrite: {
      id: "Rewrite",
      type: "object",
      properties: {
        done: { type: "boolean" },
        rewriteToken: text,
        objectSize: { ...text, format: "int64" },
        resource: { $ref: "Item" },
      },
    },
    Compose: {
      id: "Compose",
      type: "object",
      properties: {
        destination: { $ref: "Item" },
        sourceObjects: {
          type: "array",
          items: { type: "object", properties: { name: text } },
        },
      },
    },
  },
  resources: {
    jobs: {
      methods: {
        ...method("depot.jobs.get", "GET", "v1/{+name}", {
          ...named,
          response: job,
        }),
        ...method("depot.jobs.submit", "POST", "v1/{+parent}/jobs:submit", {
          parameters: path("parent", "^projects/[^/]+$"),
          request: job,
          response: job,
        }),
        ...method("depot.jobs.drop", "DELETE", "v1/{+name}:drop", named),
        ...method("depot.jobs.alter", "PATCH", "v1/{+name}:alter", {
          parameters: {
            ...path("name", JOB),
            updateJobFields: { ...text, location: "query" },
          },
          request: job,
          response: job,
        }),
        ...["pause", "resume", "cancel"].reduce(
          (all, verb) => ({
            ...all,
            ...method(`depot.jobs.${verb}`, "POST", `v1/{+name}:${verb}`, {
              ...named,
              response: job,
            }),
          }),
          {},
        ),
        ...method("depot.jobs.setLabels", "POST", "v1/{+name}:setLabels", {
          ...named,
          request: { $ref: "SetLabels" },
          response: job,
        }),
        ...method("depot.jobs.modify", "POST", "v1/{+name}:modify", {
          ...named,
          request: { $ref: "Modify" },
          response: job,
        }),
        ...method("depot.jobs.check", "POST", "v1/{+name}:check", {
          ...named,
          response: { $ref: "Results" },
        }),
        ...method("depot.jobs.getPolicy", "GET", "v1/{+resource}:getPolicy", {
          parameters: path("resource", JOB),
          response: { $ref: "Policy" },
        }),
        ...method("depot.jobs.setPolicy", "POST", "v1/{+resource}:setPolicy", {
          parameters: path("resource", JOB),
          request: { $ref: "SetPolicy" },
          response: { $ref: "Policy" },
        }),
      },
    },
    items: {
      methods: {
        ...method("depot.items.get", "GET", "b/{bucket}/o/{object}", {
          parameters: inBucket,
          supportsMediaDownload: true,
          response: { $ref: "Item" },
        }),
        ...method("depot.items.insert", "POST", "b/{bucket}/o", {
          parameters: {
            ...path("bucket"),
            name: { ...text, location: "query" },
          },
          request: { $ref: "Item" },
          response: { $ref: "Item" },
          supportsMediaUpload: true,
          mediaUpload: {
            accept: ["*/*"],
            protocols: {
              simple: { multipart: true, path: "/upload/b/{bucket}/o" },
            },
          },
        }),
        ...method("depot.items.copy", "POST", "b/{bucket}/o/{object}/copy", {
          parameters: inBucket,
          request: { $ref: "Item" },
          response: { $ref: "Item" },
        }),
        ...method(
          "depot.items.rewrite",
          "POST",
          "b/{sourceBucket}/o/{sourceObject}/rewriteTo/b/{destinationBucket}/o/{destinationObject}",
          {
            parameters: { ...from, ...to },
            request: { $ref: "Item" },
            response: { $ref: "Rewrite" },
          },
        ),
        ...method(
          "depot.items.compose",
          "POST",
          "b/{destinationBucket}/o/{destinationObject}/compose",
          {
            parameters: to,
            request: { $ref: "Compose" },
            response: { $ref: "Item" },
          },
        ),
      },
    },
  },
});

interface Depot {
  readonly fake: Mock;
  send(
    httpMethod: string,
    target: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: any }>;
}

async function depot(options: MockOptions = { empty: true }): Promise<Depot> {
  const fake = await mock(DEPOT, { validateResponses: true, ...options });
  onTestFinished(() => fake.close());
  return {
    fake,
    async send(httpMethod, target, body) {
      const isText = typeof body === "string";
      const response = await fake.fetch(`http://mock.test${target}`, {
        method: httpMethod,
        headers: { "content-type": isText ? "text/plain" : "application/json" },
        ...(body === undefined
          ? {}
          : { body: isText ? body : JSON.stringify(body) }),
      });
      const answer = await response.text();
      return {
        status: response.status,
        body: answer.startsWith("{") ? JSON.parse(answer) : answer,
      };
    },
  };
}

const NAME = "projects/p/jobs/j";
const URL_OF_JOB = `/v1/${NAME}`;

describe("custom methods of a resource", () => {
  test("create, change and delete it", async () => {
    const { send } = await depot();
    const created = await send("POST", "/v1/projects/p/jobs:submit", {
      name: NAME,
      title: "One",
    });
    expect(created.body).toMatchObject({ name: NAME, title: "One" });
    const { body } = await send(
      "PATCH",
      `${URL_OF_JOB}:alter?updateJobFields=title`,
      { title: "Two", tagIds: ["x"] },
    );
    expect(body).toMatchObject({ name: NAME, title: "Two" });
    expect(body).not.toHaveProperty("tagIds");
    expect((await send("GET", URL_OF_JOB)).body).toEqual(body);
    expect((await send("DELETE", `${URL_OF_JOB}:drop`)).status).toBeLessThan(
      300,
    );
    expect((await send("GET", URL_OF_JOB)).status).toBe(404);
  });

  test("return the stored resource in the state that the verb names", async () => {
    const { send } = await depot();
    await send("POST", "/v1/projects/p/jobs:submit", {
      name: NAME,
      title: "One",
    });
    for (const [verb, state] of [
      ["pause", "PAUSED"],
      ["resume", "ENABLED"],
      ["cancel", "CANCELLED"],
    ]) {
      const { body } = await send("POST", `${URL_OF_JOB}:${verb}`);
      expect(body).toMatchObject({ name: NAME, title: "One", state });
      expect((await send("GET", URL_OF_JOB)).body).toEqual(body);
    }
  });

  test("set members, and add and remove elements", async () => {
    const { send } = await depot({
      data: { jobs: [{ name: NAME, tagIds: ["a", "b"] }] },
    });
    await send("POST", `${URL_OF_JOB}:setLabels`, { labels: { x: "y" } });
    await send("POST", `${URL_OF_JOB}:modify`, {
      addTagIds: ["c", "a"],
      removeTagIds: ["b"],
    });
    expect((await send("GET", URL_OF_JOB)).body).toMatchObject({
      labels: { x: "y" },
      tagIds: ["a", "c"],
    });
  });

  test("respond with 404 if it does not exist", async () => {
    const { send } = await depot();
    for (const verb of ["pause", "modify", "check"])
      expect((await send("POST", `${URL_OF_JOB}:${verb}`, {})).status).toBe(
        404,
      );
    const generated = await depot({});
    expect((await generated.send("POST", `${URL_OF_JOB}:check`)).status).toBe(
      200,
    );
  });

  test("getX and setX share a value, which a saved state contains", async () => {
    const { fake, send } = await depot();
    const policy = { members: ["user:a"] };
    const { body } = await send("POST", `${URL_OF_JOB}:setPolicy`, { policy });
    expect(body).toMatchObject(policy);
    expect((await send("GET", `${URL_OF_JOB}:getPolicy`)).body).toEqual(body);
    const again = await depot({ data: fake.state() });
    expect((await again.send("GET", `${URL_OF_JOB}:getPolicy`)).body).toEqual(
      body,
    );
    const other = await send("GET", "/v1/projects/p/jobs/other:getPolicy");
    expect(other.body).not.toHaveProperty("members");
  });
});

describe("copies", () => {
  async function uploaded(): Promise<Depot> {
    const api = await depot();
    for (const name of ["a/1", "b"])
      await api.send(
        "POST",
        `/upload/b/src/o?uploadType=media&name=${name}`,
        `<${name}>`,
      );
    return api;
  }

  test("have the content and the given members", async () => {
    const { send } = await uploaded();
    const target = "/b/src/o/a%2F1/rewriteTo/b/dst/o/c";
    const { body } = await send("POST", target, { owner: "me" });
    expect(body).toMatchObject({ done: true, objectSize: "5" });
    expect(body).not.toHaveProperty("rewriteToken");
    expect(body.resource).toMatchObject({
      name: "c",
      bucket: "dst",
      owner: "me",
      contentType: "text/plain",
      size: "5",
    });
    expect((await send("GET", "/b/dst/o/c")).body).toEqual(body.resource);
    expect((await send("GET", "/b/dst/o/c?alt=media")).body).toBe("<a/1>");
    expect(
      (await send("POST", "/b/src/o/none/rewriteTo/b/dst/o/c", {})).status,
    ).toBe(404);
  });

  test("are created in the collection, with another id", async () => {
    const { send } = await uploaded();
    const { body } = await send("POST", "/b/src/o/b/copy", { name: "d" });
    expect(body).toMatchObject({ name: "d", bucket: "src" });
    expect((await send("GET", "/b/src/o/d?alt=media")).body).toBe("<b>");
    expect((await send("GET", "/b/src/o/b")).body.name).toBe("b");
  });

  test("are composed of several resources", async () => {
    const { send } = await uploaded();
    const { body } = await send("POST", "/b/src/o/all/compose", {
      sourceObjects: [{ name: "a/1" }, { name: "b" }],
      destination: { owner: "me" },
    });
    expect(body).toMatchObject({
      name: "all",
      bucket: "src",
      owner: "me",
      size: "8",
    });
    expect((await send("GET", "/b/src/o/all?alt=media")).body).toBe("<a/1><b>");
  });
});

test.each([
  ["pause", ["ENABLED", "PAUSED"], "PAUSED"],
  ["cancel", ["RUNNING", "CANCELED"], "CANCELED"],
  ["stop", ["RUNNING", "TERMINATED", "STOPPING"], "TERMINATED"],
  ["stop", ["RUNNING", "TERMINATED", "STOPPED"], "STOPPED"],
  ["start", ["PROVISIONING", "RUNNING", "STOPPED"], "RUNNING"],
  ["disable", ["ENABLED", "DISABLED"], "DISABLED"],
  ["deny", ["OPEN", "DENIED"], "DENIED"],
  ["print", ["ACTIVE", "DELETED"], undefined],
])("the state after %s among %j is %s", (verb, values, state) => {
  expect(stateAfter(verb, values)).toBe(state);
});
