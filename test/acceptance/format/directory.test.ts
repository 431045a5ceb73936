import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import {
  createDiscovery,
  isApiError,
} from "../../../generated/discovery/v1/index.js";
import {
  validateDirectoryList,
  validateRestDescription,
} from "../../../generated/discovery/v1/validators.js";
import { ROOT } from "../../support/paths.js";
import { acceptance, type Statement } from "../acceptance.js";
import { directoryOf } from "./documents.js";
import { library, type Draft } from "./library.js";
import { edited, programOf } from "./program.js";

const SPECS = readdirSync(path.join(ROOT, "specs")).filter((name) =>
  /^(chat|discovery|marketplace|migration)\.v1\.json$/.test(name),
);
const specs = Object.fromEntries(
  SPECS.map((name) => [
    name,
    JSON.parse(readFileSync(path.join(ROOT, "specs", name), "utf8")) as Draft,
  ]),
);
const directory = await directoryOf({ ...specs, "library.json": library() });
const { origin } = directory;
const list = (await (await fetch(`${origin}/discovery/v1/apis`)).json()) as {
  kind: string;
  items: Record<string, string>[];
};
const client = createDiscovery({ rootUrl: `${origin}/` });

const services: readonly Statement[] = [
  ...["chat", "discovery", "marketplace", "migration", "library"].flatMap(
    (name): Statement[] => {
      const entry = (): Record<string, string> =>
        list.items.find((item) => item["name"] === name)!;
      const fetched = async (): Promise<Draft> =>
        (await fetch(entry()["discoveryRestUrl"]!)).json();
      return [
        {
          id: `directory/list/entry-${name}`,
          statement: `The list has an entry for the API ${name}.`,
          check: () => expect(entry()["id"]).toBe(`${name}:v1`),
        },
        {
          id: `directory/list/url-${name}`,
          statement: `The URL of the entry for ${name} leads to its description.`,
          check: async () => {
            const { kind, id } = await fetched();
            expect([kind, id]).toEqual([
              "discovery#restDescription",
              `${name}:v1`,
            ]);
          },
        },
        {
          id: `directory/document/parts-${name}`,
          statement: `The description of ${name} has identity, paths and methods.`,
          check: async () => {
            const document = await fetched();
            expect(validateRestDescription(document).valid).toBe(true);
            for (const member of [
              "name",
              "version",
              "rootUrl",
              "servicePath",
              "parameters",
              "schemas",
              "resources",
            ])
              expect(document).toHaveProperty(member);
          },
        },
        {
          id: `directory/document/generates-${name}`,
          statement: `A client and a server can be generated from what the directory serves for ${name}.`,
          check: async () => {
            const { generated } = await programOf(await fetched());
            expect(
              generated.diagnostics.filter(
                ({ severity }) => severity === "error",
              ),
            ).toEqual([]);
          },
        },
      ];
    },
  ),
  {
    id: "directory/list/all",
    statement: "The list has all supported APIs, once each.",
    check: () =>
      expect(list.items.map(({ id }) => id).sort()).toEqual([
        "chat:v1",
        "discovery:v1",
        "library:v1",
        "marketplace:v1",
        "migration:v1",
      ]),
  },
  {
    id: "directory/list/form",
    statement: "The list has the form that its description declares.",
    check: () =>
      expect(
        validateDirectoryList(list, {
          mode: "response",
          unknownFields: "reject",
        }),
      ).toMatchObject({ valid: true }),
  },
  {
    id: "directory/list/single",
    statement: "`list` is the only operation of the directory.",
    decision: "Directory",
    check: () =>
      expect(
        Object.keys(specs["discovery.v1.json"].resources.apis.methods),
      ).toEqual(["list", "getRest"]),
  },
  {
    id: "directory/document/unchanged",
    statement: "A description is served with all of its fields.",
    check: async () => {
      const response = await fetch(
        `${origin}/discovery/v1/apis/library/v1/rest`,
      );
      expect(await response.json()).toEqual(library());
    },
  },
];

const endpoints: readonly Statement[] = [
  {
    id: "directory/list/client",
    statement: "A generated client can list the APIs.",
    check: async () => {
      const { items = [] } = await client.apis.list();
      expect(items).toHaveLength(5);
    },
  },
  {
    id: "directory/list/client-document",
    statement: "A generated client can fetch a listed description.",
    check: async () =>
      expect(
        await client.apis.getRest({ api: "library", version: "v1" }),
      ).toEqual(library()),
  },
  {
    id: "directory/list/method",
    statement: "The list is the response to a GET.",
    check: async () => {
      const response = await fetch(`${origin}/discovery/v1/apis`);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toMatch(
        /^application\/json/,
      );
    },
  },
  {
    id: "directory/list/other-method",
    statement: "The path of the list refuses other methods.",
    check: async () => {
      const { status } = await fetch(`${origin}/discovery/v1/apis`, {
        method: "POST",
      });
      expect([404, 405]).toContain(status);
    },
  },
  {
    id: "directory/list/name",
    statement: "The list can be limited to one name.",
    check: async () => {
      const { items } = await client.apis.list({ name: "chat" });
      expect(items!.map(({ id }) => id)).toEqual(["chat:v1"]);
    },
  },
  {
    id: "directory/list/preferred",
    statement: "The list can be limited to preferred versions.",
    check: async () => {
      const { items } = await client.apis.list({ preferred: true });
      expect(items!.every(({ preferred }) => preferred)).toBe(true);
    },
  },
  {
    id: "directory/paths/request",
    statement:
      "The path of a request is the service path and the method's path.",
    check: async () => {
      const program = await programOf(library());
      const connected = program.connect({ status: () => ({ name: "a" }) });
      await connected.client.status();
      expect(connected.exchanges[0]!.url.href).toBe(
        "https://library.example.com/library/v1/status",
      );
    },
  },
  {
    id: "directory/paths/upload",
    statement: "An upload path follows the root URL without the service path.",
    check: async () => {
      const { insert } = library().resources.books.methods;
      const program = await programOf(
        edited((d) => {
          const { protocols } = d.resources.books.methods.insert.mediaUpload;
          protocols.simple.path = "/up/{hall}";
        }),
      );
      const connected = program.connect({
        books: { insert: () => ({ title: "t" }) },
      });
      await connected.client.books.insert({
        hall: "h",
        stamp: "s",
        requestBody: { title: "t" },
        media: { body: "x", mimeType: insert.mediaUpload.accept[0] },
      });
      expect(connected.exchanges[0]!.url.href).toMatch(
        /^https:\/\/library\.example\.com\/up\/h\?/,
      );
    },
  },
];

const authentication: readonly Statement[] = [
  {
    id: "directory/authentication/list",
    statement: "The list needs no credentials.",
    decision: "Directory",
    check: async () =>
      expect((await fetch(`${origin}/discovery/v1/apis`)).status).toBe(200),
  },
  {
    id: "directory/authentication/document",
    statement: "Descriptions need no credentials.",
    decision: "Directory",
    check: async () =>
      expect(
        (await fetch(`${origin}/discovery/v1/apis/chat/v1/rest`)).status,
      ).toBe(200),
  },
  {
    id: "directory/authentication/scopes",
    statement: "A description declares its scopes and those of each method.",
    check: async () => {
      const document = await client.apis.getRest({
        api: "migration",
        version: "v1",
      });
      const declared = Object.keys(document.auth!.oauth2!.scopes!);
      const methods = document.resources!["migrations"]!.methods!;
      for (const { scopes } of Object.values(methods))
        expect(declared).toEqual(expect.arrayContaining(scopes!));
    },
  },
];

const errors: readonly Statement[] = [
  {
    id: "directory/errors/unknown-api",
    statement: "A description that the directory does not have is a 404.",
    decision: "Directory",
    check: async () => {
      const call = client.apis.getRest({ api: "none", version: "v1" });
      const error = await Promise.resolve(call).catch((thrown) => thrown);
      expect(isApiError(error) && error.status).toBe(404);
    },
  },
  {
    id: "directory/errors/envelope",
    statement: "An error has a code, a message and a list of problems.",
    decision: "Directory",
    check: async () => {
      const response = await fetch(`${origin}/discovery/v1/apis/no/v1/rest`);
      expect(await response.json()).toMatchObject({
        error: { code: 404, message: expect.any(String), errors: [{}] },
      });
    },
  },
  {
    id: "directory/errors/parameter",
    statement: "An invalid parameter is a 400.",
    decision: "Directory",
    check: async () =>
      expect(
        (await fetch(`${origin}/discovery/v1/apis?preferred=perhaps`)).status,
      ).toBe(400),
  },
];

const limits: readonly Statement[] = (
  [
    ["MB", 2],
    ["GB", 3],
    ["TB", 4],
  ] as const
).map(([unit, power]) => ({
  id: `format/limits/maxSize-${unit}`,
  statement: `The maximum size of uploads can have the unit ${unit}.`,
  check: async () => {
    const { generated } = await programOf(
      edited((d) => {
        d.resources.books.methods.insert.mediaUpload.maxSize = `7${unit}`;
      }),
    );
    expect(generated.files.get("library/v1/routes.ts")).toContain(
      `maxSize: ${7 * 1024 ** power},`,
    );
  },
}));

const versioning: readonly Statement[] = [
  {
    id: "format/versioning/discoveryVersion",
    statement: "Each description of this project has a version of the format.",
    check: () => {
      for (const spec of Object.values(specs))
        expect(spec.discoveryVersion).toBe("v1");
    },
  },
  {
    id: "format/versioning/id",
    statement: "The id combines name and version.",
    check: () => {
      for (const { id, name, version } of Object.values(specs))
        expect(id).toBe(`${name}:${version}`);
    },
  },
  {
    id: "format/versioning/revision",
    statement: "Each description of this project has a revision.",
    check: () => {
      for (const { revision } of Object.values(specs))
        expect(revision).toMatch(/^\d{8}$/);
    },
  },
  {
    id: "format/versioning/labels",
    statement: "The list shows the labels of an API.",
    check: () => {
      const entry = list.items.find(({ id }) => id === "library:v1")!;
      expect(entry["labels"]).toEqual(["limited_availability", "deprecated"]);
    },
  },
];

acceptance({ seed: 1, section: "What the service does" }, services);
acceptance({ seed: 1, section: "Endpoints" }, endpoints);
acceptance({ seed: 1, section: "Authentication" }, authentication);
acceptance({ seed: 1, section: "Errors" }, errors);
acceptance({ seed: 1, section: "Limits" }, limits);
acceptance({ seed: 1, section: "Versioning" }, versioning);
