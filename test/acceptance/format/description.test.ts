import { expect } from "vitest";
import { acceptance, type Statement } from "../acceptance.js";
import { changes, directoryOf, findings } from "./documents.js";
import { fieldStatements, type Field } from "./fields.js";
import { library } from "./library.js";
import { edited, programOf } from "./program.js";

const program = await programOf(library());
const directory = await directoryOf({
  "library.json": library(),
  "older.json": edited((d) => {
    Object.assign(d, { version: "v0", id: "library:v0", labels: [] });
  }),
});
const list = (await (
  await fetch(`${directory.origin}/discovery/v1/apis?name=library`)
).json()) as { discoveryVersion: string; items: Record<string, unknown>[] };
const entry = list.items.find(({ version }) => version === "v1")!;
const page = await directory.page("/apis/library/v1");
const home = await directory.page("/");
const service = program.text("service.ts");

const root = (
  name: string,
  type: string,
  removed?: string,
  more: Partial<Field> = {},
): Field => ({
  name,
  type,
  path: [],
  ...(removed === undefined ? {} : { removed }),
  ...more,
});

const fields: readonly Field[] = [
  root("kind", "a string"),
  root("discoveryVersion", "a string", "document-field-changed"),
  root("id", "a string", "other-changed"),
  root("name", "a string", undefined, {
    changed: ["archive", "api-name-changed"],
  }),
  root("canonicalName", "a string", "api-name-changed"),
  root("version", "a string", undefined, {
    changed: ["v2", "api-name-changed"],
  }),
  root("revision", "a string"),
  root("title", "a string", "information-changed"),
  root("description", "a string", "information-changed"),
  root("icons", "an object", "document-field-changed"),
  root("documentationLink", "a string", "information-changed"),
  root("labels", "array of strings", "information-changed"),
  root("protocol", "a string", "document-field-changed"),
  root("baseUrl", "a string", "other-changed"),
  root("basePath", "a string", "other-changed"),
  root("rootUrl", "a string", "root-url-changed"),
  root("servicePath", "a string", "service-path-changed"),
  root("batchPath", "a string", "batch-path-removed"),
  root("endpoints", "array of objects", "endpoint-removed"),
  root("parameters", "map of schemas", "parameter-removed"),
  root("auth", "an object", "other-changed"),
  root("features", "array of strings", "feature-changed"),
  root("schemas", "map of schemas", "type-widened"),
  root("methods", "map of methods", "method-removed"),
  root("resources", "map of resources", "method-removed"),
];

const icons: readonly Field[] = ["x16", "x32"].map((name) => ({
  name,
  type: "a string",
  path: ["icons"],
  changed: ["https://library.example.com/new.png", "document-field-changed"],
}));

const endpoints: readonly Field[] = [
  { name: "endpointUrl", type: "a string", removed: "endpoint-removed" },
  { name: "location", type: "a string", removed: "endpoint-removed" },
  {
    name: "description",
    type: "a string",
    removed: "endpoint-description-changed",
  },
  {
    name: "deprecated",
    type: "a boolean",
    removed: "endpoint-undeprecated",
  },
].map((field) => ({ ...field, path: ["endpoints", "0"] }));

const READ = "https://library.example.com/auth/read";
const scopes: readonly Field[] = [
  { name: "scopes", type: "map of scopes", path: ["auth", "oauth2"] },
  {
    name: "description",
    type: "a string",
    path: ["auth", "oauth2", "scopes", READ],
    changed: ["Another text", "description-changed"],
  },
];

const effects: readonly Statement[] = [
  {
    id: "format/description/kind/fixed",
    statement: "A document of another kind is refused.",
    check: async () =>
      expect(
        await findings(edited((d) => (d.kind = "discovery#other"))),
      ).toContain("kind-wrong /kind"),
  },
  {
    id: "format/description/kind/absent",
    statement: "A document without `kind` is reported.",
    check: async () =>
      expect(await findings(edited((d) => delete d.kind))).toContainEqual(
        expect.stringContaining("kind-missing"),
      ),
  },
  {
    id: "format/description/discoveryVersion/list",
    statement: "The list of the directory has the version of the format.",
    check: () => expect(list.discoveryVersion).toBe("v1"),
  },
  {
    id: "format/description/id/form",
    statement: "An id that is not name and version with a colon is reported.",
    check: async () =>
      expect(
        await findings(edited((d) => (d.id = "library-v1"))),
      ).toContainEqual(expect.stringContaining("document-id")),
  },
  {
    id: "format/description/id/entry",
    statement: "The entry of the directory has the id.",
    check: () => expect(entry["id"]).toBe("library:v1"),
  },
  {
    id: "format/description/id/output",
    statement: "Generated files name the id of their description.",
    check: () => {
      for (const text of program.generated.files.values())
        expect(text).toContain("from library:v1.");
    },
  },
  {
    id: "format/description/name/required",
    statement: "A document without a name is refused.",
    check: async () =>
      expect(await findings(edited((d) => delete d.name))).toContain(
        "shape-missing ",
      ),
  },
  {
    id: "format/description/name/folder",
    statement: "Output is in a folder of the API's name.",
    check: () => {
      for (const file of program.generated.files.keys())
        expect(file).toMatch(/^library\//);
    },
  },
  {
    id: "format/description/name/client",
    statement: "Without a canonical name, the client is called after the name.",
    check: async () => {
      const { module } = await programOf(edited((d) => delete d.canonicalName));
      expect(module.createLibrary).toBeTypeOf("function");
    },
  },
  {
    id: "format/description/name/entry",
    statement: "The entry of the directory has the name.",
    check: () => expect(entry["name"]).toBe("library"),
  },
  {
    id: "format/description/name/query",
    statement: "The directory lists the versions of one name.",
    check: () =>
      expect(list.items.map(({ version }) => version).sort()).toEqual([
        "v0",
        "v1",
      ]),
  },
  {
    id: "format/description/canonicalName/client",
    statement: "The client is called after the canonical name.",
    check: () =>
      expect(program.module.createTownLibrary).toBeTypeOf("function"),
  },
  {
    id: "format/description/canonicalName/server",
    statement: "The server is called after the canonical name.",
    check: () =>
      expect(program.module.createTownLibraryServer).toBeTypeOf("function"),
  },
  {
    id: "format/description/version/required",
    statement: "A document without a version is refused.",
    check: async () =>
      expect(await findings(edited((d) => delete d.version))).toContain(
        "shape-missing ",
      ),
  },
  {
    id: "format/description/version/folder",
    statement: "Output is in a folder of the API's version.",
    check: () => {
      for (const file of program.generated.files.keys())
        expect(file).toMatch(/^library\/v1\//);
    },
  },
  {
    id: "format/description/version/entry",
    statement: "The entry of the directory has the version.",
    check: () => expect(entry["version"]).toBe("v1"),
  },
  {
    id: "format/description/revision/client",
    statement: "The client names the revision of its description.",
    check: () => expect(service).toContain("Revision 20260101."),
  },
  {
    id: "format/description/revision/page",
    statement: "The page of the API shows the revision.",
    check: () => expect(page).toContain("20260101"),
  },
  {
    id: "format/description/revision/diff",
    statement: "Two documents that differ only in the revision are equal.",
    check: () =>
      expect(changes(edited((d) => (d.revision = "20270101")))).toEqual([]),
  },
  {
    id: "format/description/title/client",
    statement: "The client names the title.",
    check: () => expect(service).toContain("Town Library API"),
  },
  {
    id: "format/description/title/page",
    statement: "The page of the API has the title as its heading.",
    check: () => expect(page).toMatch(/<h1>\s*Town Library API/),
  },
  {
    id: "format/description/title/entry",
    statement: "The entry of the directory has the title.",
    check: () => expect(entry["title"]).toBe("Town Library API"),
  },
  {
    id: "format/description/description/client",
    statement: "The client is documented with the description.",
    check: () => {
      expect(service).toContain("Lends books to readers.");
      expect(program.text("client.ts")).toContain("Lends books to readers.");
    },
  },
  {
    id: "format/description/description/page",
    statement: "Pages show the description.",
    check: () => {
      expect(page).toContain("Lends books to readers.");
      expect(home).toContain("Lends books to readers.");
    },
  },
  {
    id: "format/description/description/entry",
    statement: "The entry of the directory has the description.",
    check: () => expect(entry["description"]).toBe("Lends books to readers."),
  },
  ...(["x16", "x32"] as const).map((name) => ({
    id: `format/description/icons/${name}`,
    statement: `The entry of the directory has the URL of the icon \`${name}\`.`,
    check: () =>
      expect(entry["icons"]).toHaveProperty(
        name,
        `https://library.example.com/icon-${name.slice(1)}.png`,
      ),
  })),
  {
    id: "format/description/documentationLink/client",
    statement: "The client links to the documentation.",
    check: () =>
      expect(service).toContain("See https://library.example.com/docs"),
  },
  {
    id: "format/description/documentationLink/page",
    statement: "The page of the API links to the documentation.",
    check: () =>
      expect(page).toMatch(/href="https:\/\/library\.example\.com\/docs"/),
  },
  {
    id: "format/description/documentationLink/entry",
    statement: "The entry of the directory links to the documentation.",
    check: () =>
      expect(entry["documentationLink"]).toBe(
        "https://library.example.com/docs",
      ),
  },
  ...(["limited_availability", "deprecated"] as const).flatMap((label) => [
    {
      id: `format/description/labels/${label}-entry`,
      statement: `The entry of the directory has the label \`${label}\`.`,
      check: () => expect(entry["labels"]).toContain(label),
    },
    {
      id: `format/description/labels/${label}-page`,
      statement: `Pages show the label \`${label}\`.`,
      check: () => expect(page).toContain(label.replace("_", " ")),
    },
    {
      id: `format/description/labels/${label}-allowed`,
      statement: `The label \`${label}\` is allowed.`,
      check: async () =>
        expect(
          (await findings(edited((d) => (d.labels = [label])))).filter(
            (found) => found.startsWith("document-label"),
          ),
        ).toEqual([]),
    },
  ]),
  {
    id: "format/description/labels/deprecated-client",
    statement:
      "The client of an API with the label `deprecated` is deprecated.",
    check: () => expect(program.text("client.ts")).toMatch(/@deprecated/),
  },
  {
    id: "format/description/labels/limited_availability-client",
    statement:
      "The client of an API with the label `limited_availability` has a note.",
    check: () =>
      expect(service + program.text("client.ts")).toMatch(
        /limited[ _]availability/i,
      ),
  },
  {
    id: "format/description/labels/other",
    statement: "A label that the format does not define is reported.",
    check: async () =>
      expect(
        await findings(edited((d) => (d.labels = ["beta"]))),
      ).toContainEqual(expect.stringContaining("document-label")),
  },
  {
    id: "format/description/labels/preferred",
    statement: "A version without the label `deprecated` is preferred.",
    check: () =>
      expect(
        list.items
          .filter(({ preferred }) => preferred)
          .map(({ version }) => version),
      ).toEqual(["v0"]),
  },
  {
    id: "format/description/protocol/rest",
    statement: "A protocol other than `rest` is reported.",
    check: async () =>
      expect(
        await findings(edited((d) => (d.protocol = "soap"))),
      ).toContainEqual(expect.stringContaining("document-protocol")),
  },
  ...(["baseUrl", "basePath"] as const).map((name) => ({
    id: `format/description/${name}/ignored`,
    statement: `\`${name}\` has no effect beside \`rootUrl\` and \`servicePath\`.`,
    check: async () => {
      const { generated } = await programOf(edited((d) => delete d[name]));
      expect([...generated.files]).toEqual([...program.generated.files]);
    },
  })),
  {
    id: "format/description/baseUrl/fallback",
    statement: "`baseUrl` gives the addresses of a document without `rootUrl`.",
    check: async () => {
      const old = await programOf(
        edited((d) => {
          delete d.rootUrl;
          delete d.servicePath;
          delete d.basePath;
        }),
      );
      const { client, exchanges } = old.connect();
      await client.status().catch(() => undefined);
      expect(exchanges[0]!.url.href).toBe(
        "https://old.example.com/base/status",
      );
    },
  },
  {
    id: "format/description/rootUrl/requests",
    statement: "Requests go to the root URL.",
    check: async () => {
      const { client, exchanges } = program.connect();
      await client.status().catch(() => undefined);
      expect(exchanges[0]!.url.origin).toBe("https://library.example.com");
    },
  },
  {
    id: "format/description/rootUrl/option",
    statement: "A client can be given another root URL.",
    check: async () => {
      const { client, exchanges } = program.connect(
        {},
        { client: { rootUrl: "https://test.example.com/" } },
      );
      await client.status().catch(() => undefined);
      expect(exchanges[0]!.url.href).toBe(
        "https://test.example.com/library/v1/status",
      );
    },
  },
  {
    id: "format/description/rootUrl/page",
    statement: "The page of the API shows its address.",
    check: () =>
      expect(page).toContain("https://library.example.com/library/v1/"),
  },
  {
    id: "format/description/servicePath/client",
    statement: "Paths of requests begin with the service path.",
    check: async () => {
      const { client, exchanges } = program.connect();
      await client.status().catch(() => undefined);
      expect(exchanges[0]!.url.pathname).toBe("/library/v1/status");
    },
  },
  {
    id: "format/description/servicePath/server",
    statement: "The server's routes begin with the service path.",
    check: async () => {
      const handlers = { status: () => ({ name: "open" }) };
      const get = async (path: string) =>
        (await program.send(handlers, new Request(`https://x.test${path}`)))
          .status;
      expect(await get("/library/v1/status")).toBe(200);
      expect(await get("/status")).toBe(404);
    },
  },
  {
    id: "format/description/servicePath/empty",
    statement: "The service path may be empty.",
    check: async () => {
      const plain = await programOf(edited((d) => (d.servicePath = "")));
      const { client, exchanges } = plain.connect({
        status: () => ({ name: "open" }),
      });
      expect(await client.status()).toEqual({ name: "open" });
      expect(exchanges[0]!.url.pathname).toBe("/status");
    },
  },
  {
    id: "format/description/batchPath/client",
    statement: "Batches are sent to the batch path below the root URL.",
    check: async () => {
      const { client, exchanges } = program.connect({
        status: () => ({ name: "open" }),
      });
      const [first] = await client.batch([client.status()]);
      expect(first).toMatchObject({ name: "open" });
      expect(exchanges[0]!.url.href).toBe("https://library.example.com/batch");
      expect(exchanges[0]!.method).toBe("POST");
    },
  },
  {
    id: "format/description/batchPath/default",
    statement: "The description of the format gives `batch` as the batch path.",
    check: async () => {
      const spec = await directory.page("/discovery/v1/apis/discovery/v1/rest");
      const { schemas, batchPath } = JSON.parse(spec);
      expect(schemas.RestDescription.properties.batchPath.default).toBe(
        "batch",
      );
      expect(batchPath).toBe("batch");
    },
  },
  {
    id: "format/description/endpoints/location",
    statement: "A client with a location calls the endpoint of the location.",
    check: async () => {
      const { client, exchanges } = program.connect(
        {},
        { client: { location: "north-1" } },
      );
      await client.status().catch(() => undefined);
      expect(exchanges[0]!.url.href).toBe(
        "https://north.library.example.com/library/v1/status",
      );
    },
  },
  {
    id: "format/description/endpoints/unknown",
    statement: "A location without an endpoint is refused.",
    check: () =>
      expect(() =>
        program.connect({}, { client: { location: "south-1" } }),
      ).toThrow(/south-1/),
  },
  {
    id: "format/description/endpoints/type",
    statement: "The type of the client's options lists the locations.",
    check: () =>
      expect(service).toContain('readonly location?: "north-1" | undefined;'),
  },
  {
    id: "format/description/endpoints/description",
    statement: "The client is documented with the endpoint's description.",
    check: () => expect(service).toContain("Rack of the northern town."),
  },
  {
    id: "format/description/endpoints/deprecated",
    statement: "The client's documentation marks a deprecated endpoint.",
    check: () => expect(service).toMatch(/deprecated/i),
  },
  {
    id: "format/description/endpoints/page",
    statement: "The page of the API lists the endpoints.",
    check: () => expect(page).toContain("north-1"),
  },
  {
    id: "format/description/parameters/call",
    statement: "Each method accepts the common parameters.",
    check: async () => {
      const { client, exchanges } = program.connect({
        status: ({ params }: { params: object }) => ({
          name: JSON.stringify(params),
        }),
      });
      expect(await client.status({ trace: "t1" })).toEqual({
        name: '{"trace":"t1"}',
      });
      expect(exchanges[0]!.url.search).toBe("?trace=t1");
    },
  },
  {
    id: "format/description/parameters/option",
    statement: "A client can set common parameters for all calls.",
    check: async () => {
      const { client, exchanges } = program.connect(
        {},
        { client: { parameters: { trace: "t2" } } },
      );
      await client.status().catch(() => undefined);
      expect(exchanges[0]!.url.searchParams.get("trace")).toBe("t2");
    },
  },
  {
    id: "format/description/parameters/type",
    statement: "The types of parameters of all methods include common ones.",
    check: () => {
      expect(service).toContain("trace?: string | undefined;");
      expect(program.text("resources/books.ts")).toContain(
        "extends CommonParameters",
      );
    },
  },
  {
    id: "format/description/parameters/page",
    statement: "The page of the API lists the common parameters.",
    check: () => expect(page).toContain("Label of the call in traces."),
  },
  {
    id: "format/description/scopes/constants",
    statement: "The client has a constant with a comment for each scope.",
    check: () =>
      expect(program.text("scopes.ts")).toContain(
        '/** See the books of the library */\nexport const read = "https://library.example.com/auth/read";',
      ),
  },
  {
    id: "format/description/scopes/undeclared",
    statement: "A method with an undeclared scope is reported.",
    check: async () =>
      expect(
        await findings(
          edited(
            (d) => (d.resources.books.methods.get.scopes = ["x.example/auth"]),
          ),
        ),
      ).toContainEqual(expect.stringContaining("scope-undeclared")),
  },
  {
    id: "format/description/scopes/page",
    statement: "Pages describe the scopes of a method.",
    check: async () =>
      expect(
        await directory.page("/apis/library/v1/methods/books/insert"),
      ).toContain("Lend books to readers"),
  },
  {
    id: "format/description/features/data-wrapper",
    statement: "The feature `dataWrapper` wraps the bodies.",
    check: async () => {
      const wrapped = await programOf(
        edited((d) => (d.features = ["dataWrapper"])),
      );
      const { client, exchanges } = wrapped.connect({
        books: { insert: ({ body }: { body: object }) => body },
      });
      const requestBody = { title: "One" };
      const stored = client.books.insert({
        stamp: "s",
        hall: "h",
        requestBody,
      });
      expect(await stored).toEqual(requestBody);
      expect(JSON.parse(String(exchanges[0]!.body))).toEqual({
        data: requestBody,
      });
    },
  },
  ...(["Book", "Author", "BookList"] as const).flatMap((name) => [
    {
      id: `format/description/schemas/type-${name}`,
      statement: `The schema \`${name}\` has a type.`,
      check: () =>
        expect(program.text("schemas.ts")).toContain(`interface ${name} {`),
    },
    {
      id: `format/description/schemas/validator-${name}`,
      statement: `The schema \`${name}\` has a validator.`,
      check: () => {
        expect(program.validate(name)({}).valid).toBe(true);
        expect(program.validate(name)(5).valid).toBe(false);
      },
    },
    {
      id: `format/description/schemas/page-${name}`,
      statement: `The schema \`${name}\` has a page.`,
      check: async () =>
        expect(
          await directory.page(`/apis/library/v1/schemas/${name}`),
        ).toMatch(new RegExp(`<h1[^>]*>[^]*${name}[^]*</h1>`)),
    },
  ]),
  {
    id: "format/description/methods/client",
    statement: "Methods of the API are members of the client.",
    check: async () => {
      const { client } = program.connect({ status: () => ({ name: "open" }) });
      expect(await client.status()).toEqual({ name: "open" });
    },
  },
  {
    id: "format/description/methods/page",
    statement: "Pages list the methods of the API.",
    check: () => expect(page).toContain("Tells if the library is open."),
  },
  {
    id: "format/description/resources/client",
    statement: "Resources are members of the client.",
    check: async () => {
      const { client } = program.connect({
        books: { list: () => ({ items: [{ title: "One" }] }) },
      });
      expect(await client.books.list()).toEqual({ items: [{ title: "One" }] });
    },
  },
  {
    id: "format/description/resources/file",
    statement: "Each resource has a file.",
    check: () => {
      for (const name of ["books", "books.reviews", "books.reviews.votes"])
        expect(program.text(`resources/${name}.ts`)).not.toBe("");
    },
  },
];

acceptance({ seed: 1, section: "RestDescription" }, [
  ...fieldStatements("a description", "format/description", fields),
  ...fieldStatements("`icons`", "format/icons", icons),
  ...fieldStatements("an endpoint", "format/endpoints", endpoints),
  ...fieldStatements("`auth.oauth2`", "format/auth", scopes),
  ...effects,
]);
