import { resolve } from "node:path";
import ts from "ts6";
import { beforeAll, describe, expect, it } from "vitest";
import { bind, callable } from "../../../src/runtime/client/index.js";
import { client, make, recorder } from "./helpers.js";
import { languageService, wrongLines } from "./language-service.js";

describe("bind", () => {
  const files = { get: make({ path: "files/{id}" }), delete_: make() };

  it("binds methods, also renamed ones", async () => {
    const { sent, fetch } = recorder();
    const bound = bind(client(fetch), files, { delete_: "delete" });
    expect(Object.keys(bound)).toEqual(["get", "delete"]);
    await bound.get({ id: "a" }, { headers: { "x-a": "1" } });
    await bound.delete();
    expect(sent.map(({ target }) => target)).toEqual([
      "/drive/v3/files/a",
      "/drive/v3/files",
    ]);
    expect(sent[0]?.headers).toEqual({ "x-a": "1" });
  });

  const odd = ["__proto__", "constructor", "name", "then", "call", "toString"];

  it.each(odd)("defines an own property %s", async (name) => {
    const { sent, fetch } = recorder();
    const plain = bind(client(fetch), { method_: make() }, { method_: name });
    const kept = bind(client(fetch), Object.fromEntries([[name, make()]]));
    for (const bound of [plain, { ...kept }] as Record<string, any>[]) {
      expect(Object.keys(bound)).toEqual([name]);
      expect(Object.getPrototypeOf(bound)).toBe(Object.prototype);
      await Object.getOwnPropertyDescriptor(bound, name)!.value({});
    }
    expect(sent).toHaveLength(2);
  });

  it("skips members that are not methods", () => {
    const module = { get: make(), other: () => 1, text: "x", nothing: null };
    expect(Object.keys(bind(client(recorder().fetch), module))).toEqual([
      "get",
    ]);
  });

  it("does not use inherited names as new names", () => {
    const module = { constructor: make(), toString: make() };
    const bound = bind(client(recorder().fetch), module, { get_: "get" });
    expect(Object.keys(bound)).toEqual(["constructor", "toString"]);
  });
});

describe("callable", () => {
  it("is a function with the members of a resource", () => {
    const seen: unknown[] = [];
    const flat = (...given: unknown[]) => seen.push(...given);
    const resource = Object.fromEntries(
      ["name", "length", "call", "__proto__", "get"].map((key) => [
        key,
        () => key,
      ]),
    ) as Record<"name" | "length" | "call" | "get", () => string>;
    const owner = client(recorder().fetch);
    const both = callable(owner, flat, resource);
    both({ a: 1 }, { timeout: 2 });
    expect(seen).toEqual([owner, { a: 1 }, { timeout: 2 }]);
    for (const key of Object.keys(resource))
      expect(Object.getOwnPropertyDescriptor(both, key)?.value()).toBe(key);
    expect(both.name()).toBe("name");
    expect(Object.keys(both).sort()).toEqual(Object.keys(resource).sort());
    expect(Object.hasOwn(flat, "get")).toBe(false);
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
  /* @__PURE__ */ method({ id: "d.delete", verb: "DELETE", path: "files/{fileId}" });

export { delete_ as delete };
`;

const usage = `
import { bind, callable, createClient, type Bound, type Client, type Renamed, type Service } from "../src/runtime/client/index.js";
import * as files from "./files.js";

const service: Service = { rootUrl: "https://a/", servicePath: "" };
export interface Drive {
  readonly files: Bound<typeof files, { delete_: "delete" }> & {
    /** Deletes a file, too. */
    readonly delete: unknown;
  };
}
type Both = Bound<typeof files> & { readonly get: Bound<typeof files> };
export const client: Client = createClient(service);
export const drive: Drive = { files: bind(client, files, { delete_: "delete" }) };

declare const renamed: Bound<typeof files, { delete_: "delete" }>;
void /*type*/renamed;
declare const odd: Bound<typeof files, { get: "g-t" }> & Renamed<typeof files, { get: "g-t" }>;
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
  const both: Both["get"] = callable(client, files.get, drive.files);
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
    ["list", "Lists the files.", "parameters?: files.ListParameters"],
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
    expect(hover("type").text).toContain("Bound<typeof files, {");
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
    ["rest", ["delete", "delete_", "list"]],
  ])("offers what can stand at %s", (marker, names) => {
    const at = usage.indexOf(`/*${marker}*/`) + marker.length + 4;
    const found = service.getCompletionsAtPosition(path, at, {});
    expect(found?.entries.map(({ name }) => name)).toEqual(names);
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
