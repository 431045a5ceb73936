import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Case } from "./cases.js";
import { asJson, type DocumentMethod, type Json } from "./documents.js";

type Call = (parameters?: Json, options?: Json) => PromiseLike<unknown>;
type Tree = Readonly<Record<string, unknown>>;

/** A request that `fetch` received. */
export interface SentRequest {
  readonly url: URL;
  readonly method: string;
  readonly body: unknown;
  readonly headers: Headers;
}

/** A client of a case's output; its `fetch` records requests and returns `{}`. */
export interface TestClient {
  readonly client: Tree;
  readonly sent: SentRequest[];
  /** Descriptors of the flat functions. */
  readonly descriptors: readonly Json[];
}

/** Imports the output of a case and creates a client. */
export async function testClient({
  generated,
  folder,
}: Case): Promise<TestClient> {
  const sent: SentRequest[] = [];
  const load = (file: string): Promise<Tree> =>
    import(
      /* @vite-ignore */ pathToFileURL(path.join(folder, file)).href
    ) as Promise<Tree>;
  const files = [...generated.files.keys()];
  const index = await load(files.find((file) => file.endsWith("/index.ts"))!);
  const create = Object.keys(index).find(
    (name) => name.startsWith("create") && name !== "createClient",
  )!;
  const flat = await Promise.all(
    files.filter((file) => file.includes("/resources/")).map(load),
  );
  const descriptors = flat.flatMap((module) =>
    Object.values(module).map((method) =>
      asJson((method as { descriptor?: unknown }).descriptor),
    ),
  );
  const client = (index[create] as (options: Json) => Tree)({
    rootUrl: "https://test.example.com/",
    fetch: async (url: string, init: RequestInit) => {
      sent.push({
        url: new URL(url),
        method: init.method ?? "GET",
        body: init.body,
        headers: new Headers(init.headers),
      });
      return Response.json({});
    },
  });
  return { client, sent, descriptors };
}

/** Returns the member at a path of names. */
export function follow(client: Tree, names: readonly string[]): Call {
  let at: unknown = client;
  for (const name of names) at = (at as Tree)[name];
  return at as Call;
}

/** Returns parameters of a method by wire name, each with a unique value. */
export function sampleParameters({ raw }: DocumentMethod): Map<string, string> {
  const declared = Object.keys(asJson(raw["parameters"]));
  const template = String(raw["path"] ?? raw["flatPath"]);
  const variables = [...template.matchAll(/\{[+#./;?&]?([^{}]+)\}/g)].flatMap(
    ([, list = ""]) =>
      list.split(",").map((spec) => spec.replace(/\*$|:\d+$/, "").trim()),
  );
  const names = new Set([...declared, ...variables]);
  return new Map([...names].map((name, index) => [name, `v${index}x`]));
}
