import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  Engine,
  templateNames,
  type TemplateName,
  type TemplateViews,
} from "../../../src/render/engine.js";
import { Code } from "../../../src/render/typescript/code.js";
import { ROOT } from "../../support/paths.js";
// Views are declared beside the targets.
import type {} from "../../../src/targets/index.js";

const code = (text: string): Code => new Code(text);
const head = { banner: code("// banner"), imports: code("imports") };

const alias = { doc: code("doc\n"), declaration: code("type Name = Type;") };
const enumeration = {
  doc: code("doc\n"),
  name: code("Name"),
  options: [
    {
      doc: code(""),
      text: code('| "a"'),
    },
    {
      doc: code("  doc\n"),
      text: code('| "b";'),
    },
  ],
};
const emptyInterface = {
  doc: code("doc\n"),
  head: code("export interface Name extends Base {"),
  isEmpty: true,
  fields: [],
};
const filledInterface = {
  ...emptyInterface,
  isEmpty: false,
  fields: [{ doc: code("  doc\n"), declaration: code("a: b;") }],
  index: code("[key: string]: unknown;"),
};
const enums = [
  { ...enumeration, isEnum: true },
  { ...alias, isEnum: false },
] as const;
const declarations = [
  { ...filledInterface, isInterface: true },
  ...enums,
] as const;
const method = {
  doc: code("doc\n"),
  head: code("export const list: Method = method({"),
  entries: [code("id: 1")],
};
const validator = {
  doc: code("doc\n"),
  name: code("validateFile"),
  Options: code("Options"),
  result: code("Result"),
  call: code("return true;"),
};
const lines = { head: code("function check() {"), lines: [code("line;")] };
const object = {
  head: code("function check() {"),
  isNullable: true,
  refuse: code("refuse;"),
  required: [code("required;")],
  isWalked: true,
  usesValue: true,
  isSwitch: true,
  groups: [{ names: [code('"a"')], lines: [code("line;")] }],
  hasRest: true,
  rest: [code("rest;")],
};

/** Views of each template that together make it print every part. */
const VIEWS: {
  readonly [Name in TemplateName]: readonly TemplateViews[Name][];
} = {
  "client/alias": [alias],
  "client/enum": [enumeration],
  "client/interface": [emptyInterface, filledInterface],
  "client/schemas": [
    { ...head, definitions: [] },
    {
      ...head,
      definitions: declarations,
    },
  ],
  "client/scopes": [
    {
      ...head,
      scopes: [{ doc: code("doc\n"), declaration: code("const a = 1;") }],
      methods: {
        sets: [code("{}")],
        ScopeSet: code("ScopeSet"),
        ScopedMethod: code("ScopedMethod"),
        smallest: code("smallest"),
      },
    },
    { ...head, scopes: [], methods: undefined },
  ],
  "client/client": [
    {
      ...head,
      doc: code("doc\n"),
      declaration: code("export interface Client {}"),
      resources: [alias],
      createDoc: code("doc\n"),
      create: code("export function create() {"),
      methods: {
        name: code("methods"),
        tree: code("{}"),
        bound: code("bind(client)"),
      },
    },
  ],
  "client/errors": [
    {
      ...head,
      reader: {
        ReadError: code("ReadError"),
        make: code("make"),
        entries: [code("a: 1")],
      },
      doc: code("doc\n"),
      type: code("export type DemoError = Type;"),
      head: code("export function isDemoError() {"),
      check: code("check"),
      prefix: code('"demo."'),
    },
  ],
  "client/index": [{ banner: head.banner, exports: [code("export {};")] }],
  "client/method": [
    { ...method, hugs: true },
    { ...method, hugs: false },
  ],
  "client/resource": [
    {
      ...head,
      methods: [
        {
          ...method,
          hugs: true,
          enums,
          parameters: filledInterface,
          headers: filledInterface,
        },
      ],
      aliases: code("export { a as b };"),
    },
  ],
  "client/service": [
    {
      ...head,
      doc: code("doc\n"),
      Service: code("Service"),
      entries: [code("a: 1")],
      enums,
      common: filledInterface,
      ofClient: filledInterface,
      headers: filledInterface,
      options: [filledInterface],
      credential: { type: code("Rules"), rules: [code("a: 1")] },
      signature: code("export function createClient() {"),
      bareSignature: code("export function createBareClient() {"),
      create: code("create"),
      createBare: code("createBare"),
      settings: code("options"),
    },
  ],
  "server/routes": [
    {
      ...head,
      scopes: [code('const a = "b";')],
      name: code("api"),
      Api: code("Api"),
      entries: [code("a: 1")],
    },
  ],
  "server/server": [
    {
      ...head,
      declarations,
      create: code("export function createServer() {"),
      createServer: code("create"),
      api: code("api"),
    },
  ],
  "validator/export": [validator],
  "validator/function": [lines],
  "validator/json-function": [{ head: code("head"), value: code("value;") }],
  "validator/json-schemas": [
    { ...head, items: [] },
    {
      ...head,
      items: [
        { head: code("head"), value: code("value;") },
        { isConstant: true, text: code("const a = 1;") },
      ],
    },
  ],
  "validator/object": [object, { ...object, isSwitch: false, groups: [] }],
  "validator/rules": [
    {
      banner: code("// banner"),
      validate: code("validateFile"),
      check: code("checkFile"),
      rules: code("fileRules"),
      settings: [code('root: "File",')],
      kinds: [code("a: {},")],
      schemas: [code("File: {},")],
      rows: [code("{},")],
      engine: code("function check() {}"),
    },
  ],
  "validator/validators": [
    { ...head, items: [] },
    {
      ...head,
      items: [
        { isConstant: true, text: code("const a = 1;") },
        { ...validator, isExport: true },
        { ...object, isObject: true },
        { ...lines, isObject: false },
      ],
    },
  ],
  "conformance/conformance": [
    {
      ...head,
      Plan: code("Plan"),
      Check: code("Check"),
      Options: code("Options"),
      entries: [code("a: 1")],
      call: code("return [];"),
    },
  ],
  "conformance/register": [{ ...head, call: code("register();") }],
};

/** Flags that only some options of a union declare. */
const FLAGS = new Set(["isInterface", "isEnum", "isConstant", "isExport"]);

/** Records which members of a view a template reads, by their position. */
class Reads {
  readonly used = new Set<string>();
  readonly missing = new Set<string>();
  readonly declared = new Set<string>();

  /** Wraps a view; elements of lists share a position. */
  watch(value: unknown, position: string): unknown {
    if (value instanceof Code || typeof value !== "object" || value === null)
      return value;
    if (Array.isArray(value))
      return value.map((item) => this.watch(item, `${position}[]`));
    const members = Object.entries(value);
    for (const [key] of members) this.declared.add(`${position}/${key}`);
    const copy = Object.fromEntries(
      members.map(([key, member]) => [
        key,
        this.watch(member, `${position}/${key}`),
      ]),
    );
    return new Proxy(copy, {
      get: (target, key) => this.#read(target, key, position),
      getOwnPropertyDescriptor: (target, key) => {
        this.#read(target, key, position);
        return Reflect.getOwnPropertyDescriptor(target, key);
      },
    });
  }

  #read(target: object, key: string | symbol, position: string): unknown {
    if (typeof key === "string") {
      const isOwn = Object.hasOwn(target, key);
      (isOwn ? this.used : this.missing).add(`${position}/${key}`);
    }
    return Reflect.get(target, key);
  }
}

/** Names that Handlebars looks up on every object. */
const HANDLEBARS_NAMES = /\/(?:constructor|toHTML|then|length)$/;

describe("views of templates", () => {
  test("each template has a declared view", () => {
    expect(Object.keys(VIEWS).sort()).toEqual(templateNames().sort());
  });

  test.each(Object.keys(VIEWS) as TemplateName[])(
    "%s reads each member of its view and no other",
    (name) => {
      const reads = new Reads();
      for (const view of VIEWS[name])
        new Engine().render(name, reads.watch(view, "") as never);
      const unread = [...reads.declared].filter((at) => !reads.used.has(at));
      const undeclared = [...reads.missing].filter(
        (at) =>
          !reads.declared.has(at) &&
          !HANDLEBARS_NAMES.test(at) &&
          !FLAGS.has(at.slice(at.lastIndexOf("/") + 1)),
      );
      expect({ unread, undeclared }).toEqual({ unread: [], undeclared: [] });
    },
  );

  test("a missing or surplus member is a compile error", () => {
    const render = (): string[] => [
      // @ts-expect-error `type` is missing
      new Engine().render("client/alias", { doc: alias.doc, name: alias.name }),
      // @ts-expect-error `extra` is not declared
      new Engine().render("client/alias", { ...alias, extra: code("") }),
      // @ts-expect-error there is no such template
      new Engine().render("client/none", alias),
    ];
    expect(render).toThrow(/client\/none/);
  });

  test.each(templateNames())("%s names its view in its first line", (name) => {
    const text = readFileSync(path.join(ROOT, `templates/${name}.hbs`), "utf8");
    const [, type, file] =
      /^\{\{!-- view: (\w+) \((.*)\) --\}\}\n/.exec(text) ?? [];
    const source = readFileSync(path.join(ROOT, file!), "utf8");
    expect(source).toMatch(new RegExp(`^export interface ${type} `, "m"));
    expect(source).toContain(`"${name}": ${type};`);
  });
});
