import { resolve } from "node:path";
import ts from "ts6";
import { beforeAll, describe, expect, it } from "vitest";
import {
  bind,
  download,
  jsonBody,
  type MethodTree,
} from "../../../src/runtime/client/index.js";
import type { MethodEntry } from "../../../src/runtime/client/bind.js";
import { client, recorder } from "./helpers.js";
import { languageService, wrongLines } from "./language-service.js";

const tree: MethodTree = {
  about: ["GET", "about"],
  projects: {
    get: ["GET", "v1/projects/{project}", { names: { format: "$format" } }],
    locations: {
      list: ["GET", "v1/projects/{project}/locations", download],
      create: ["POST", "v1/projects/{project}/locations", { body: jsonBody }],
      cancel: [
        "POST",
        "v1/locations/{location}:cancel",
        { members: { name: ["GET", "a", { id: "other.id" }] } },
        download,
        keep,
      ],
    },
  },
};

/** Feature without effect. */
function keep(): object {
  return {};
}

describe("bind", () => {
  const { sent, fetch } = recorder();
  const bound = bind(client(fetch), "demo.", tree);

  it("creates the descriptor of each method", () => {
    const { list, create, cancel } = bound.projects.locations;
    const methods = [
      bound.about,
      bound.projects.get,
      list,
      create,
      cancel,
      cancel.name,
    ];
    expect(methods.map(({ descriptor }) => descriptor)).toEqual([
      { id: "demo.about", httpMethod: "GET", path: "about", use: [] },
      {
        id: "demo.projects.get",
        httpMethod: "GET",
        path: "v1/projects/{project}",
        names: { format: "$format" },
        use: [],
      },
      {
        id: "demo.projects.locations.list",
        httpMethod: "GET",
        path: "v1/projects/{project}/locations",
        use: [download],
      },
      {
        id: "demo.projects.locations.create",
        httpMethod: "POST",
        path: "v1/projects/{project}/locations",
        body: jsonBody,
        use: [],
      },
      {
        id: "demo.projects.locations.cancel",
        httpMethod: "POST",
        path: "v1/locations/{location}:cancel",
        use: [download, keep],
      },
      { id: "other.id", httpMethod: "GET", path: "a", use: [] },
    ]);
  });

  it("sends calls", async () => {
    const parameters = { project: "p", format: "x" };
    await bound.projects.get(parameters, { headers: { "x-a": "1" } });
    await bound.projects.locations.create({ project: "p", requestBody: {} });
    expect(sent.map(({ target }) => target)).toEqual([
      "/drive/v3/v1/projects/p?%24format=x",
      "/drive/v3/v1/projects/p/locations",
    ]);
    expect(sent[0]!.headers).toEqual({ "x-a": "1" });
    expect(sent[1]!.init).toMatchObject({ method: "POST", body: "{}" });
  });

  const odd = [
    "__proto__",
    "constructor",
    "name",
    "then",
    "call",
    "length",
    "descriptor",
  ];

  it.each(odd)("defines an own property %s", (name) => {
    const get: MethodEntry = ["GET", "files"];
    const members: MethodTree = Object.fromEntries([[name, get]]);
    const tree: MethodTree = { resource: members, both: [...get, { members }] };
    const { resource, both } = bind(client(fetch), "", tree);
    expect(Object.getPrototypeOf(resource)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(both)).toBe(Function.prototype);
    for (const object of [resource, both, { ...resource }]) {
      expect(Object.keys(object)).toEqual([name]);
      const member = Object.getOwnPropertyDescriptor(object, name)!;
      expect(member.value).toBeTypeOf("function");
    }
  });
});

const generated = `
import { method, download, tokenPagination, type Call, type MediaCall, type Method,
  type OptionalMethod, type PagedCall } from "../src/runtime/client/index.js";

export interface ListParameters {
  /** A query. */
  q?: string;
}
export interface GetParameters {
  fileId: string;
  /** Which fields. */
  fields?: string;
}
export interface File {
  /** An id. */
  readonly id?: string;
  /** Who has it. */
  owner?: Owner;
}
export interface Owner {
  /** An address. */
  email?: string;
  name?: string;
}

/** Lists the files. */
export const list: OptionalMethod<ListParameters, PagedCall<{ files?: File[] }, "files">> =
  /* @__PURE__ */ method({ id: "d.list", path: "files", use: [tokenPagination({ items: "files" })] });

/** Gets one file. */
export const get: Method<GetParameters, MediaCall<File>> =
  /* @__PURE__ */ method({ id: "d.get", path: "files/{fileId}", use: [download] });

/** Deletes a file. */
export const delete_: Method<GetParameters, Call<void>> =
  /* @__PURE__ */ method({ id: "d.delete", httpMethod: "DELETE", path: "files/{fileId}" });

export { delete_ as delete };
`;

const usage = `
import { bind, createClient, type Bound, type BoundMethod, type Client, type Service } from "../src/runtime/client/index.js";
import * as files from "./files.js";

const service: Service = { rootUrl: "https://a/", servicePath: "" };
export interface Drive {
  readonly files: Bound<typeof files> & {
    /** Deletes a file, too. */
    readonly delete: unknown;
  };
}
type Both = Bound<typeof files> & { readonly get: Bound<typeof files> };
export const client: Client = createClient(service);
export const drive: Drive = { files: bind(client, "d.files.", {}) };

declare const renamed: Bound<typeof files>;
void /*type*/renamed;
declare const odd: Bound<typeof files, "get"> & { readonly "g-t": BoundMethod<typeof files.get> };
void odd./*rest*/delete;
void odd["g-t"]({ fileId: "a" });
drive.files./*get*/get;
drive.files./*delete*/delete;
drive.files./*list*/list({ /*q*/q: "x" });
drive.files.get({ fileId: "a", /*fields*/fields: "id,owner/email" }).then((/*value*/value) => {
  void [value./*id*/id, value.owner?./*email*/email, value./*members*/id];
});
files.get(client, { fileId: "a", fields: "id" }).then((/*flat*/value) => value);
drive.files.get({ fileId: "a", /*more*/ });
drive.files.list({ /*some*/ });

export async function good(): Promise<void> {
  const file: files.File = await drive.files.get({ fileId: "a" }, { timeout: 1 });
  const flat: Promise<files.File> = files.get(client, { fileId: "a" });
  const bytes: Uint8Array = await (await drive.files.get({ fileId: "a" }).media()).bytes();
  const { data, response } = await drive.files.delete({ fileId: "a" }).withResponse();
  const nothing: void = data;
  const status: number = response.status;
  for await (const item of drive.files.list()) { const one: files.File = item; void one; }
  for await (const page of drive.files.list({}).pages()) void page.files;
  const both: Both["get"] = bind(client, "", {}).get;
  await both({ fileId: "a" }); await both.list();
  void [file, flat, bytes, nothing, status];
}

export function bad(): void {
  drive.files.nope;
  drive.files.delete_;
  drive.files.get();
  drive.files.get({});
  drive.files.get({ fileId: 1 });
  drive.files.get({ fileId: "a", x: 1 });
  drive.files.list({}).media();
  drive.files.get({ fileId: "a" }).pages();
  files.get({ fileId: "a" });
  drive.files.get = drive.files.get;
  drive.files.get({ fileId: "a", fields: "owner/mail" });
}
`;

describe("Bound", () => {
  const path = resolve("virtual/usage.ts");
  let service: ts.LanguageService;

  beforeAll(() => {
    service = languageService({
      [path]: usage,
      [resolve("virtual/files.ts")]: generated,
    });
  });

  const hover = (marker: string) => {
    const at = usage.indexOf(`/*${marker}*/`) + marker.length + 4;
    const info = service.getQuickInfoAtPosition(path, at);
    return {
      documentation: ts.displayPartsToString(info?.documentation),
      text: ts.displayPartsToString(info?.displayParts),
    };
  };

  it.each([
    ["get", "Gets one file.", "GetParameters"],
    ["delete", "Deletes a file, too.", "Call<void>"],
    [
      "list",
      "Lists the files.",
      "parameters?: (files.ListParameters & Misplaced)",
    ],
    ["q", "A query.", "string"],
    ["fields", "Which fields.", "fields?: "],
    ["id", "An id.", "id?: string"],
    ["email", "An address.", "email?: string"],
  ])("shows the documentation of %s", (name, documentation, type) => {
    expect(hover(name).documentation).toBe(documentation);
    expect(hover(name).text).toContain(type);
  });

  it.each(["get", "delete"])("finds the definition of %s", (name) => {
    const at = usage.indexOf(`/*${name}*/`) + name.length + 4;
    const found = service.getDefinitionAtPosition(path, at) ?? [];
    expect(found.map(({ fileName }) => fileName)).toContain(
      resolve("virtual/files.ts"),
    );
  });

  // Compilers resolve all members of an intersection for each completion.
  it("is a single type with its own name, also if methods are renamed", () => {
    expect(hover("type").text).toContain("Bound<typeof files>");
    const program = service.getProgram()!;
    const [node] = program
      .getSourceFile(path)!
      .statements.filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations)
      .filter(({ name }) => name.getText() === "renamed");
    const type = program.getTypeChecker().getTypeAtLocation(node!);
    expect(type.isIntersection()).toBe(false);
  });

  it("shows the selected part of a value", () => {
    const text = (marker: string) => hover(marker).text.replace(/\s+/g, " ");
    expect(text("value")).toBe(
      "(parameter) value: { readonly id?: string; owner?: { email?: string; }; }",
    );
    expect(text("flat")).toBe("(parameter) value: { readonly id?: string; }");
  });

  it.each([
    ["more", ["fields"]],
    ["some", ["q"]],
    ["members", ["id", "owner"]],
    ["rest", ["delete", "list"]],
  ])("offers what can stand at %s", (marker, names) => {
    const at = usage.indexOf(`/*${marker}*/`) + marker.length + 4;
    const found = service.getCompletionsAtPosition(path, at, {});
    // Names that are not allowed come last, and editors cross them out.
    const allowed = found?.entries.filter(
      ({ kindModifiers }) => !kindModifiers?.includes("deprecated"),
    );
    expect(allowed?.map(({ name }) => name)).toEqual(names);
  });

  it("reports the missing name", () => {
    const [message] = service
      .getSemanticDiagnostics(path)
      .map(({ messageText }) =>
        ts.flattenDiagnosticMessageText(messageText, " "),
      )
      .filter((text) => text.includes("fields:"));
    expect(message).toBe(
      `Type '"owner/mail"' is not assignable to type '"fields: 'owner' has no 'mail'"'.`,
    );
  });

  it("accepts only valid selectors", () => {
    const lines = usage.split("\n");
    const first = lines.indexOf("export function bad(): void {") + 1;
    expect(wrongLines(service, path)).toEqual(lines.slice(first, -2));
  });
});
