import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Directory of a test, with documents that the test changes. */
export interface ApiDirectory {
  readonly origin: string;
  /**
   * Documents by `name:version`; a number is the status of the response, and
   * `null` closes the connection.
   */
  readonly documents: Map<string, object | string | number | null>;
}

/** Starts an API directory until the test ends. */
export async function apiDirectory(
  documents: Readonly<Record<string, object>>,
): Promise<ApiDirectory> {
  const state: ApiDirectory["documents"] = new Map(Object.entries(documents));
  const server = createServer((request, response) => {
    const { url = "" } = request;
    const [, name, version] =
      /^\/discovery\/v1\/apis\/([^/]+)\/([^/]+)\/rest$/.exec(url) ?? [];
    if (url === "/discovery/v1/apis") return send(list());
    const found = state.get(`${name}:${version}`) ?? undefined;
    if (state.get(`${name}:${version}`) === null)
      return void request.socket.destroy();
    if (found === undefined) return send({ error: { message: "Gone." } }, 404);
    if (typeof found === "number") return send({}, found);
    send(found);

    function send(value: object | string, status = 200): void {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      const etag = `"${createHash("sha256").update(text).digest("hex")}"`;
      const isSame =
        status === 200 && request.headers["if-none-match"] === etag;
      response.writeHead(isSame ? 304 : status, { etag });
      response.end(isSame ? undefined : text);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const list = (): object => ({
    kind: "discovery#directoryList",
    items: [...state.keys()].map((id) => {
      const [name, version] = id.split(":");
      const discoveryRestUrl = `${origin}/discovery/v1/apis/${name}/${version}/rest`;
      return { name, version, preferred: true, discoveryRestUrl };
    }),
  });
  return { origin, documents: state };
}
