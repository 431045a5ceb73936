import { describe, expect, it } from "vitest";
import {
  buildSite,
  type SiteContent,
} from "../../../src/site/static/build-site.js";
import { tryOriginOf } from "../../../src/site/try-form.js";
import { FileNames } from "../../../src/site/static/placement.js";

/** Document with many small resources. */
function manyResources(count: number): Buffer {
  const resources = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `r${at}`,
      { methods: { get: { id: `x.r${at}.get`, path: `r${at}` } } },
    ]),
  );
  const document = { ...documentOf("x", "v1"), resources };
  return Buffer.from(JSON.stringify(document));
}

it("grows linearly with the number of resources, and links all of them", () => {
  const sizeOf = (count: number): number =>
    [...buildSite([manyResources(count)])].reduce(
      (sum, { text }) => sum + text.length,
      0,
    );
  expect(sizeOf(1_600)).toBeLessThan(2.5 * sizeOf(800));
  const files = [...buildSite([manyResources(100)])];
  const textOf = (name: string): string =>
    files.find(({ path }) => path === `apis/x/v1/${name}`)!.text;
  for (let at = 0; at < 100; at++)
    expect(textOf("index.html")).toContain(`/r${at}.html"`);
  const navigation = /<nav class="aside"[^]*?<\/nav>/.exec(
    textOf("r5.html"),
  )![0];
  expect(navigation).toContain("Overview of 100 resources");
  expect(navigation).toMatch(/r5\.html"\s+aria-current="page"/);
  expect(navigation.match(/<li>/g)!.length).toBeLessThan(20);
});

it("numbers names with the same start in linear time", () => {
  const names = new FileNames(["a-2"]);
  const assigned = Array.from({ length: 50_000 }, () => names.assign("a"));
  expect(assigned.slice(0, 3)).toEqual(["a", "a-3", "a-4"]);
  expect(new Set(assigned).size).toBe(50_000);
});

/** Text that would be markup, a script or Markdown if not escaped. */
const HOSTILE = `</title><script>alert(1)</script><img src=x onerror=alert(1)>"'\u2028\u202e|[x](javascript:alert(1))`;

function documentOf(name: string, version: string, text = "A text."): object {
  return {
    kind: "discovery#restDescription",
    id: `${name}:${version}`,
    name,
    version,
    title: `The ${name} API`,
    description: text,
    rootUrl: "https://example.com/",
    servicePath: `${name}/`,
    schemas: {
      File: {
        id: "File",
        type: "object",
        description: text,
        properties: { name: { type: "string" }, next: { $ref: "File" } },
      },
    },
    resources: {
      files: {
        methods: {
          list: {
            id: `${name}.files.list`,
            path: "files",
            httpMethod: "GET",
            description: text,
            parameters: { pageToken: { type: "string", location: "query" } },
            response: { $ref: "File" },
          },
          insert: {
            id: `${name}.files.insert`,
            path: "files",
            httpMethod: "POST",
            request: { $ref: "File" },
            mediaUpload: {
              accept: ["*/*"],
              protocols: { simple: { path: "/upload/files" } },
            },
          },
        },
      },
    },
  };
}

function siteOf(...documents: object[]): Map<string, string> {
  return siteWith({}, ...documents);
}

function siteWith(
  content: SiteContent,
  ...documents: object[]
): Map<string, string> {
  const bytes = documents.map((one) => Buffer.from(JSON.stringify(one)));
  const files = [...buildSite(bytes, content)];
  return new Map(files.map(({ path, text }) => [path, text]));
}

/** Returns the links of a page that lead to no file or to no id. */
function brokenLinks(site: ReadonlyMap<string, string>): string[] {
  return [...site].flatMap(([from, text]) =>
    from.endsWith(".html")
      ? [...text.matchAll(/(?:href|src|data-index)="([^"]*)"/g)].flatMap(
          ([, href]) => {
            if (/^(?:https?|data):/.test(href!)) return [];
            const [file, hash] = href!.replaceAll("&#39;", "'").split("#");
            const path =
              file === ""
                ? from
                : new URL(file!, `http://x/${from}`).pathname.slice(1);
            const target = site.get(path);
            if (target === undefined) return [`${from}: ${href}`];
            return hash === undefined ||
              target.replaceAll("&#39;", "'").includes(`id="${hash}"`)
              ? []
              : [`${from}: ${href}`];
          },
        )
      : [],
  );
}

describe("a site", () => {
  it("has pages for APIs, resources and schemas, as HTML and Markdown, whose links lead somewhere", () => {
    const site = siteOf(
      documentOf("drive", "v3"),
      documentOf("drive", "v2"),
      documentOf("storage", "v1"),
    );
    expect(
      [...site.keys()].filter((name) => name.includes("drive/v3")).sort(),
    ).toEqual(
      [
        "document.json",
        "files.html",
        "files.md",
        "index.html",
        "index.md",
        "openapi.json",
        "schemas.html",
        "schemas.js",
        "schemas.md",
        "tasks.html",
      ].map((name) => `apis/drive/v3/${name}`),
    );
    expect(brokenLinks(site)).toEqual([]);
    expect(site.get("llms.txt")).toContain(
      "[The drive API v3](apis/drive/v3/index.md)",
    );
    const page = site.get("apis/drive/v3/files.html")!;
    expect(page).toContain("uploadType=media");
    expect(page).toContain("data-sample=");
  });

  it("shows hostile text as text, in HTML, Markdown and the search index", () => {
    const document = documentOf("shop", "v1", HOSTILE) as {
      resources: object;
      schemas: object;
    };
    document.resources = {
      [HOSTILE]: {
        methods: {
          [HOSTILE]: {
            id: "shop.x",
            path: HOSTILE,
            httpMethod: HOSTILE,
            parameters: {
              [HOSTILE]: {
                type: HOSTILE,
                description: HOSTILE,
                location: HOSTILE,
              },
            },
            request: { $ref: HOSTILE },
          },
        },
      },
    };
    document.schemas = {
      [HOSTILE]: {
        id: HOSTILE,
        type: "object",
        description: HOSTILE,
        properties: { [HOSTILE]: { type: "string" } },
      },
    };
    const site = siteOf(document);
    expect(brokenLinks(site)).toEqual([]);
    for (const [name, text] of site) {
      if (/\.(?:js|css)$/.test(name)) continue;
      // Code is not interpreted in Markdown.
      const markup = text.replace(/```[^]*?```|`[^`\n]*`/g, "");
      expect(markup, name).not.toMatch(
        /(?<!\\)<img|alert\(1\)<\/script>|\u2028/,
      );
      if (name.endsWith(".md"))
        expect(markup).not.toMatch(/(?<!\\)\]\(javascript/);
      if (name.endsWith(".html"))
        expect(text.match(/<script/g)).toHaveLength(1);
    }
    for (const name of site.keys()) expect(name).toMatch(/^[\w./-]+$/);
  });

  it("lists changes with links to methods and schemas", () => {
    const change = {
      kind: "changed",
      text: "changed",
      isBreaking: true,
    } as const;
    const changes = [
      { ...change, label: "list", pointer: "/resources/files/methods/list/id" },
      { ...change, label: "File", pointer: "/schemas/File" },
      { ...change, label: "api", pointer: "" },
      { ...change, kind: "removed", label: HOSTILE, text: HOSTILE },
    ] as const;
    const site = siteWith(
      {
        changes: new Map([
          ["drive:v3", { from: HOSTILE, to: "2", changes }],
          ["drive:v2", { from: "2", to: "2", changes: [] }],
        ]),
      },
      documentOf("drive", "v3"),
      documentOf("drive", "v2"),
    );
    expect(brokenLinks(site)).toEqual([]);
    const page = site.get("apis/drive/v3/what-changed.html")!;
    expect(page).toContain('drive/v3/files.html#m-list"><code>list');
    expect(page).toContain('drive/v3/schemas.html#m-File"><code>File');
    expect(page.indexOf("Removed")).toBeLessThan(page.indexOf("Changed"));
    expect(page).not.toContain("<img");
    const markdown = site.get("apis/drive/v3/what-changed.md")!;
    expect(markdown.replace(/`[^`\n]*`/g, "")).not.toMatch(/(?<!\\)<img/);
    expect(site.has("apis/drive/v2/what-changed.html")).toBe(false);
    expect(site.get("apis/drive/v2/index.html")).toContain("no changes since");
    expect(site.get("index.html")).toContain("1 API changed");
    expect(site.get("llms.txt")).toContain(
      "(apis/drive/v3/what-changed.md): 4 changes, 4 breaking",
    );
  });

  it("keeps the page of a resource named like the page with changes", () => {
    const document = documentOf("drive", "v3") as { resources: object };
    document.resources = {
      "what-changed": { methods: { get: { id: "x", path: "x" } } },
    };
    const change = {
      kind: "changed",
      label: "a",
      text: "b",
      isBreaking: false,
    } as const;
    const changes = new Map([
      ["drive:v3", { from: "1", to: "2", changes: [change] }],
    ]);
    const site = siteWith({ changes }, document);
    expect(brokenLinks(site)).toEqual([]);
    expect(site.has("apis/drive/v3/what-changed-2.html")).toBe(true);
  });

  it("has forms only for permitted origins, with hostile text as text", () => {
    const document = documentOf("drive", "v3") as { resources: object };
    document.resources = {
      files: {
        methods: {
          get: {
            id: "drive.get",
            path: HOSTILE,
            httpMethod: HOSTILE,
            parameters: {
              [HOSTILE]: { type: HOSTILE, enum: [HOSTILE], location: HOSTILE },
            },
            request: { $ref: "File" },
          },
        },
      },
    };
    const plain = siteOf(document);
    expect([...plain.values()].join()).not.toMatch(
      /class="try"|\.try|data-role|connect-src/,
    );
    const site = siteWith(
      { tryOrigins: ["self", "https://a.example"] },
      document,
    );
    const page = site.get("apis/drive/v3/files.html")!;
    expect(page).toContain("connect-src &#39;self&#39; https://a.example");
    expect(page.match(/<script|<textarea/g)).toEqual(["<script", "<textarea"]);
    expect(page).not.toMatch(/<img|<input[^>]* name=/);
    expect(site.get("index.html")).not.toContain("connect-src");
  });

  it.each([
    ["self", "self"],
    ["https://API.example.com/", "https://api.example.com"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["https://a.example/path", undefined],
    ["https://user@a.example", undefined],
    ["https://a.example; script-src *", undefined],
    ["https://[::1]", undefined],
    ["file:///", undefined],
    ["*", undefined],
  ])("accepts %j as origin %j", (text, origin) => {
    expect(tryOriginOf(text)).toBe(origin);
  });

  it("splits long lists of schemas over pages", () => {
    const document = documentOf("big", "v1") as { schemas: object };
    document.schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `S${at}`,
        { id: `S${at}`, type: "object", description: "x".repeat(10_000) },
      ]),
    );
    const site = siteOf(document);
    expect(
      [...site.keys()].filter((name) => /schemas.*\.html$/.test(name)).length,
    ).toBeGreaterThan(3);
    expect(brokenLinks(site)).toEqual([]);
  });

  it("has a list of 1,000 documents below 300 kB", () => {
    const documents = Array.from({ length: 1_000 }, (_, at) =>
      documentOf(
        `service${at}`,
        "v1",
        "A description of the service, long enough to be shortened.",
      ),
    );
    expect(siteOf(...documents).get("index.html")!.length).toBeLessThan(
      300_000,
    );
  });
});

it("file names are safe and unique without regard to case", () => {
  const names = new FileNames(["index"]);
  expect(
    ["a/b", "A_B", "index", "..", "CON", "", "ü"].map((name) =>
      names.assign(name),
    ),
  ).toEqual(["a_b", "A_B-2", "index-2", "_", "_CON", "_-2", "_-3"]);
});

it("shows the errors of a method, and those of all methods once", () => {
  const document = {
    ...documentOf("x", "v1"),
    "x-errors": {
      default: { description: "Any failure.", $ref: "File" },
      429: { description: "Too many requests.", reason: "rate" },
    },
    methods: {
      get: {
        id: "x.get",
        path: "x",
        httpMethod: "GET",
        "x-errors": {
          404: { description: `Missing. ${HOSTILE}`, code: "gone" },
        },
      },
    },
  };
  const site = siteOf(document);
  expect(brokenLinks(site)).toEqual([]);
  const overview = site.get("apis/x/v1/index.html")!;
  expect(overview).toContain("Too many requests.");
  const page = site.get("apis/x/v1/methods.html")!;
  expect(page).toContain("<code>404</code>");
  expect(page).toContain("<code>gone</code>");
  expect(page).not.toContain("Too many requests.");
  expect(page).not.toContain("<script>alert");
  expect(siteOf(documentOf("y", "v1")).get("apis/y/v1/index.html")).toContain(
    "declares no errors",
  );
});

it("has one search on the home page, which has no server", () => {
  expect(siteOf(documentOf("x", "v1")).get("index.html")).not.toContain(
    "<form",
  );
});

it("prints samples of parameters whose names are members of all objects", () => {
  const names = ["constructor", "__proto__", "toString", "hasOwnProperty"];
  const document = JSON.parse(
    JSON.stringify({
      ...documentOf("x", "v1"),
      methods: {
        get: {
          id: "x.get",
          path: `x/${names.map((name) => `{${name}}`).join("/")}`,
          httpMethod: "GET",
          parameters: { PARAMETERS: {} },
        },
      },
    }).replace(
      '"PARAMETERS":{}',
      [
        ...names.map(
          (name) =>
            `"${name}":{"type":"string","location":"path","required":true}`,
        ),
        `"valueOf":{"type":"string","location":"query","required":true}`,
      ].join(),
    ),
  ) as object;
  const page = siteOf(document).get("apis/x/v1/methods.html")!;
  expect(page).toContain(
    "x/CONSTRUCTOR/_PROTO_/TO_STRING/HAS_OWN_PROPERTY?valueOf=VALUE_OF",
  );
});
