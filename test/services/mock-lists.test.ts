import { expect, onTestFinished, test } from "vitest";
import { mock, type MockOptions } from "../../src/index.js";
import { description } from "../support/generate.js";

const text = { type: "string" };
const texts = { type: "array", items: text };
const number = { type: "integer", format: "int32" };
const query = (type: object): object => ({ ...type, location: "query" });
const inPath = { ...text, location: "path", required: true };

/** API with lists, and members that only descriptions define. */
const SHELF: Readonly<Record<string, unknown>> = description({
  name: "shelf",
  schemas: {
    Status: {
      id: "Status",
      type: "object",
      properties: { code: number, message: text, details: texts },
    },
    File: {
      id: "File",
      type: "object",
      properties: {
        id: text,
        kind: {
          ...text,
          readOnly: true,
          description: 'Type of the resource. This is always "shelf#file".',
        },
        name: text,
        parents: texts,
        labelIds: texts,
        trashed: { type: "boolean" },
        due: {
          ...text,
          readOnly: true,
          description: "Due date of the file (as a RFC 3339 timestamp).",
        },
        deleteTime: { ...text, format: "date-time", readOnly: true },
        status: { $ref: "Status", readOnly: true },
        snippet: {
          type: "object",
          properties: { channelId: text, timeZone: text },
        },
      },
    },
    PageInfo: {
      id: "PageInfo",
      type: "object",
      properties: { totalResults: number, resultsPerPage: number },
    },
    Files: {
      id: "Files",
      type: "object",
      properties: {
        files: { type: "array", items: { $ref: "File" } },
        selfLink: text,
        nextPageToken: text,
        prevPageToken: text,
        totalRows: { ...text, format: "uint64" },
        pageInfo: { $ref: "PageInfo" },
      },
    },
    Pulled: {
      id: "Pulled",
      type: "object",
      properties: { messages: { type: "array", items: { $ref: "Status" } } },
    },
    Pull: {
      id: "Pull",
      type: "object",
      properties: { maxMessages: number },
    },
  },
  resources: {
    files: {
      methods: {
        list: {
          id: "shelf.files.list",
          path: "v1/files",
          httpMethod: "GET",
          parameters: {
            q: query(text),
            labelIds: { ...query(text), repeated: true },
            id: query(text),
            channelId: query(text),
            timeZone: query(text),
            name: query({ ...text, default: "main" }),
            pageSize: query(number),
            pageToken: query(text),
          },
          response: { $ref: "Files" },
        },
        get: {
          id: "shelf.files.get",
          path: "v1/files/{fileId}",
          httpMethod: "GET",
          parameters: { fileId: inPath },
          response: { $ref: "File" },
        },
        create: {
          id: "shelf.files.create",
          path: "v1/files",
          httpMethod: "POST",
          request: { $ref: "File" },
          response: { $ref: "File" },
        },
        update: {
          id: "shelf.files.update",
          path: "v1/files/{fileId}",
          httpMethod: "PATCH",
          parameters: {
            fileId: inPath,
            addParents: query(text),
            removeParents: query(text),
          },
          request: { $ref: "File" },
          response: { $ref: "File" },
        },
        pull: {
          id: "shelf.files.pull",
          path: "v1/pull",
          httpMethod: "POST",
          request: { $ref: "Pull" },
          response: { $ref: "Pulled" },
        },
      },
    },
  },
});

async function shelf(
  options: MockOptions,
): Promise<(target: string, init?: RequestInit) => Promise<any>> {
  const fake = await mock(SHELF, { validateResponses: true, ...options });
  onTestFinished(() => fake.close());
  return async (target, init) => {
    const response = await fake.fetch(`http://mock.test/v1/${target}`, {
      headers: { "content-type": "application/json" },
      ...init,
    });
    expect(response.status).toBe(200);
    return response.json();
  };
}

const FILES = [
  { id: "dir", name: "dir", parents: ["root"] },
  { id: "a", name: "a.txt", parents: ["dir"], labelIds: ["x", "y"] },
  {
    id: "b",
    name: "b.txt",
    parents: ["dir"],
    labelIds: ["x"],
    trashed: true,
    snippet: { channelId: "c1", timeZone: "UTC" },
  },
];

test.each([
  ["q='dir' in parents", ["a", "b"]],
  ["q='dir' in parents and trashed = false", ["a"]],
  ["q=free search terms", ["dir", "a", "b"]],
  ["labelIds=x", ["a", "b"]],
  ["labelIds=x&labelIds=y", ["a"]],
  ["id=a,b", ["a", "b"]],
  ["channelId=c1&id=b", ["b"]],
  ["channelId=c2&id=b", []],
  ["timeZone=Europe/Berlin", ["dir", "a", "b"]],
])("a list with %s has the files %j", async (parameters, ids) => {
  const send = await shelf({ data: { files: FILES } });
  const { files } = await send(`files?${encodeURI(parameters)}`);
  expect(files.map(({ id }: { id: string }) => id)).toEqual(ids);
});

test("a list counts its elements, and has links and tokens of the mock", async () => {
  const send = await shelf({ data: { files: FILES } });
  const list = await send("files?pageSize=2");
  expect(list).toMatchObject({
    selfLink: "http://mock.test/v1/files",
    totalRows: "3",
    pageInfo: { totalResults: 3, resultsPerPage: 2 },
    nextPageToken: expect.any(String),
  });
  expect(list).not.toHaveProperty("prevPageToken");
});

test("generated files fit the parameters of every request", async () => {
  const send = await shelf({});
  expect((await send("files?labelIds=x")).files).toHaveLength(3);
});

test("parents are added and removed by parameters", async () => {
  const send = await shelf({ data: { files: FILES } });
  const target = "files/a?addParents=other,more&removeParents=dir";
  const file = await send(target, { method: "PATCH", body: "{}" });
  expect(file.parents).toEqual(["other", "more"]);
  expect(await send("files/a")).toEqual(file);
});

test("a limited list has at most as many elements, and none in an empty mock", async () => {
  const pull = { method: "POST", body: '{"maxMessages":2}' };
  expect((await (await shelf({}))("pull", pull)).messages).toHaveLength(2);
  const empty = await shelf({ empty: true });
  expect((await empty("pull", pull)).messages).toEqual([]);
});

test("members have the values that descriptions name, and tell no error", async () => {
  const send = await shelf({ empty: true });
  const file = await send("files", { method: "POST", body: '{"name":"a"}' });
  expect(file).toMatchObject({ kind: "shelf#file", name: "a" });
  expect(file.due).toMatch(/^\d{4}-\d\d-\d\dT[\d:]+Z$/);
  expect(file).not.toHaveProperty("status");
  expect(file).not.toHaveProperty("deleteTime");
});
