// The chat service and its description with the official discovery clients.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { google } from "googleapis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { start } from "../../src/services/chat/index.js";
import { listen, type Host } from "../../src/services/host.js";
import { contextOf, KEYS } from "../services/chat-support.js";
import { ROOT, temporaryFolder } from "../support/paths.js";

const PYTHON = "/usr/bin/python3";
const config = { keys: KEYS, models: { "test-model": "echo" } };
const body = {
  model: "test-model",
  messages: [{ role: "user", content: "Hello" }],
};

let host: Host;
let documents: http.Server;
let description: string;

beforeAll(async () => {
  host = await listen([await start(contextOf(config))]);
  const file = path.join(ROOT, "specs/chat.v1.json");
  const rootUrl = `${host.origin}/`;
  const document = JSON.parse(readFileSync(file, "utf8")) as object;
  description = JSON.stringify({ ...document, rootUrl, baseUrl: rootUrl });
  documents = http.createServer((_, response) =>
    response.setHeader("content-type", "application/json").end(description),
  );
  await new Promise<void>((done) => documents.listen(0, "127.0.0.1", done));
});

afterAll(async () => {
  documents.close();
  documents.closeAllConnections();
  await host.close();
});

test("googleapis: discoverAPI, and every method", async () => {
  const { port } = documents.address() as AddressInfo;
  const headers = { authorization: "Bearer test-key" };
  const chat = (await google.discoverAPI(`http://127.0.0.1:${port}/`, {
    headers,
  })) as unknown as Record<
    string,
    Record<string, (parameters: object) => Promise<{ data: unknown }>> & {
      completions: {
        create(parameters: object): Promise<{ data: unknown }>;
      };
    }
  >;
  const list = await chat["models"]!["list"]!({});
  expect(list.data).toMatchObject({ data: [{ id: "test-model" }] });
  const model = await chat["models"]!["get"]!({ model: "test-model" });
  expect(model.data).toMatchObject({ id: "test-model" });
  const made = await chat["chat"]!.completions.create({ requestBody: body });
  expect(made.data).toMatchObject({
    choices: [{ message: { content: "Hello" } }],
  });
});

const PROGRAM = `
import json, sys
import httplib2
from googleapiclient.discovery import build_from_document
from googleapiclient.errors import HttpError
class Http(httplib2.Http):
    def request(self, uri, method="GET", body=None, headers=None, **rest):
        headers = dict(headers or {}, authorization="Bearer test-key")
        return super().request(uri, method, body, headers, **rest)
chat = build_from_document(open(sys.argv[1]).read(), http=Http())
seen = [chat.models().list().execute(), chat.models().get(model="test-model").execute()]
seen.append(chat.chat().completions().create(body=json.loads(sys.argv[2])).execute())
try:
    chat.models().get(model="a/b").execute()
except HttpError as error:
    seen.append(json.loads(error.content))
print(json.dumps(seen))
`;

test("googleapiclient: every method, and an error", async ({ skip }) => {
  const isThere =
    existsSync(PYTHON) &&
    (await promisify(execFile)(PYTHON, ["-c", "import googleapiclient"]).then(
      () => true,
      () => false,
    ));
  if (!isThere) {
    console.warn("skipped: python3-googleapi is not installed");
    return skip();
  }
  const folder = temporaryFolder();
  const file = path.join(folder, "chat.json");
  writeFileSync(file, description);
  const { stdout } = await promisify(execFile)(PYTHON, [
    "-c",
    PROGRAM,
    file,
    JSON.stringify(body),
  ]);
  expect(JSON.parse(stdout)).toMatchObject([
    { object: "list", data: [{ id: "test-model" }] },
    { id: "test-model", object: "model" },
    { choices: [{ message: { content: "Hello" } }] },
    { error: { code: "model_not_found", param: "model" } },
  ]);
});
