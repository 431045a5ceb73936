import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { Sink } from "../../../src/diagnostics/sink.js";
import type { Diagnostic } from "../../../src/diagnostics/types.js";
import { ensureDocuments } from "../../../src/remote/ensure-documents.js";
import type {
  FetchedApi,
  LockOptions,
} from "../../../src/remote/remote-settings.js";
import {
  updateDocuments,
  type Update,
  type UpdateOptions,
} from "../../../src/remote/update-documents.js";
import { shop } from "./support.js";

/** API of all projects. */
export const SHOP: FetchedApi = { id: "shop:v1", file: "specs/shop.v1.json" };

/** Server with a directory and one document, which a test changes. */
export interface DocumentServer {
  readonly origin: string;
  readonly requests: IncomingMessage[];
  /** Served document; a string is sent as it is. */
  document: object | string;
  /** Replaces the response to a request of the document. */
  respond:
    ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
}

/** Starts a server with ETags until the test ends. */
export async function documentServer(): Promise<DocumentServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    if (request.url === "/discovery/v1/apis") return send(list());
    if (state.respond !== undefined) return state.respond(request, response);
    if (request.url === "/discovery/v1/apis/shop/v1/rest")
      return send(state.document);
    response.writeHead(404).end('{"error":{"message":"Not found."}}');

    function send(value: object | string): void {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      const etag = `"${createHash("sha256").update(text).digest("hex")}"`;
      const isSame = request.headers["if-none-match"] === etag;
      response.writeHead(isSame ? 304 : 200, { etag });
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
  const state: DocumentServer = {
    origin,
    requests,
    document: shop(),
    respond: undefined,
  };
  function list(): object {
    const item = (version: string, preferred: boolean): object => ({
      name: "shop",
      version,
      preferred,
      discoveryRestUrl: `${origin}/discovery/v1/apis/shop/${version}/rest`,
    });
    return {
      kind: "discovery#directoryList",
      items: [item("v1", true), item("v2", false)],
    };
  }
  return state;
}

/** Result of a run: findings as `code message`. */
export interface RunResult {
  readonly findings: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly updates: readonly Update[];
}

/** Folder with fetched documents and a lock. */
export class Project {
  readonly cwd: string;
  readonly #server: DocumentServer;

  constructor(server: DocumentServer) {
    this.#server = server;
    this.cwd = mkdtempSync(path.join(tmpdir(), "gen-test-"));
    onTestFinished(() => rmSync(this.cwd, { recursive: true, force: true }));
  }

  options(overrides: Partial<UpdateOptions> = {}): LockOptions & UpdateOptions {
    return {
      cwd: this.cwd,
      lockFile: "gen.lock.json",
      directory: this.#server.origin,
      allowHttp: true,
      allowPrivate: true,
      environment: {
        env: {},
        limits: { total: 1_000, idle: 300, size: 100_000, delays: [] },
      },
      ...overrides,
    };
  }

  async update(
    overrides: Partial<UpdateOptions> = {},
    apis: readonly FetchedApi[] = [SHOP],
  ): Promise<RunResult> {
    const sink = new Sink();
    const updates = await updateDocuments(apis, this.options(overrides), sink);
    return resultOf(sink, updates);
  }

  async ensure(
    overrides: Partial<UpdateOptions> = {},
    apis: readonly FetchedApi[] = [SHOP],
  ): Promise<RunResult & { readonly failed: readonly string[] }> {
    const sink = new Sink();
    const { failed } = await ensureDocuments(
      apis,
      this.options(overrides),
      sink,
    );
    return { ...resultOf(sink), failed };
  }

  /** Returns the text of a file; undefined if it is missing. */
  text(name: string): string | undefined {
    const file = path.join(this.cwd, name);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  }

  /** Returns texts of the stored document and the lock. */
  state(): {
    readonly document: string | undefined;
    readonly lock: string | undefined;
  } {
    return {
      document: this.text(SHOP.file),
      lock: this.text("gen.lock.json"),
    };
  }
}

function resultOf(
  { diagnostics }: Sink,
  updates: readonly Update[] = [],
): RunResult {
  const findings = diagnostics.map(({ code, message }) => `${code} ${message}`);
  return { findings, diagnostics, updates };
}
