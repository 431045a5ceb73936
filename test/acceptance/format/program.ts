import path from "node:path";
import { build, type Plugin } from "esbuild";
import { generateEverything, type Generated } from "../../support/generate.js";
import { ROOT } from "../../support/paths.js";
import type { Validate } from "../../support/validators.js";
import { library, type Draft } from "./library.js";

/** Request that the client sent, and the response of the server. */
export interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: unknown;
  readonly status: number;
}

/** Generated client, connected in process to the generated server. */
export interface Program {
  readonly generated: Generated;
  /** Text of a generated file, such as `resources/books.ts`. */
  text(file: string): string;
  /** Creates a client; `fetch` calls the server with the handlers. */
  connect(
    handlers?: object,
    options?: { client?: object; server?: object },
  ): { client: Draft; exchanges: Exchange[] };
  /** Sends a request to a server with the handlers. */
  send(handlers: object, request: Request, options?: object): Promise<Response>;
  validate(schema: string): Validate;
  readonly module: Draft;
}

/** Generates client, server and validators of a document and loads them. */
export async function programOf(document: object): Promise<Program> {
  const generated = generateEverything(document);
  const [first = ""] = generated.files.keys();
  const folder = first.split("/").slice(0, 2).join("/");
  const text = (file: string): string =>
    generated.files.get(`${folder}/${file}`) ?? "";
  const module = await load(generated.files, folder);
  const named = (pattern: RegExp): Draft =>
    Object.entries(module).find(([name]) => pattern.test(name))![1];
  const createClient = named(/^create(?!Client$|BareClient$)\w+(?<!Server)$/);
  const createServer = named(/^create\w+Server$/);
  const send: Program["send"] = async (handlers, request, options = {}) =>
    createServer(handlers, options).fetch(request);
  return {
    generated,
    text,
    module,
    send,
    validate: (schema) => module[`validate${schema}`],
    connect(handlers = {}, options = {}) {
      const exchanges: Exchange[] = [];
      const server = createServer(handlers, options.server ?? {});
      const fetch = async (url: string, init: RequestInit) => {
        const request = new Request(url, { duplex: "half", ...init } as never);
        const response: Response = await server.fetch(request);
        exchanges.push({
          method: init.method ?? "GET",
          url: new URL(url),
          headers: new Headers(init.headers),
          body: init.body,
          status: response.status,
        });
        return response;
      };
      const client = createClient({ fetch, retry: false, ...options.client });
      return { client, exchanges };
    },
  };
}

/** Generates the document with an edit applied to it. */
export function edited(edit: (document: Draft) => void): Draft {
  const document = library();
  edit(document);
  return document;
}

async function load(
  files: ReadonlyMap<string, string>,
  folder: string,
): Promise<Draft> {
  const names = ["index", "server", "validators"];
  const { outputFiles } = await build({
    stdin: {
      contents: [
        ...names.map((name) => `export * from "./${name}.js";`),
        'export { reply, content, ApiError as ServerError } from "../../runtime/server/index.js";',
      ].join("\n"),
      resolveDir: `/out/${folder}`,
      loader: "ts",
    },
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
    logLevel: "silent",
    plugins: [virtual(files)],
  });
  const code = Buffer.from(outputFiles[0]!.text).toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}

function virtual(files: ReadonlyMap<string, string>): Plugin {
  const runtime = path.join(ROOT, "src/runtime");
  return {
    name: "virtual",
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^\./ }, ({ path: target, resolveDir }) => {
        const file = path.resolve(resolveDir, target).replace(/\.js$/, ".ts");
        const shared = /^\/out\/runtime\/(.*)$/.exec(file);
        if (shared !== null) return { path: path.join(runtime, shared[1]!) };
        return file.startsWith("/out/")
          ? { path: file, namespace: "virtual" }
          : undefined;
      });
      onLoad({ filter: /.*/, namespace: "virtual" }, ({ path: file }) => ({
        contents: files.get(file.slice("/out/".length)) ?? "",
        resolveDir: path.dirname(file),
        loader: "ts",
      }));
    },
  };
}
