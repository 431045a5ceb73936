/* eslint-disable */
// biome-ignore-all lint: generated

/** What the runtime uses of Node's `IncomingMessage`. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: {
    readonly [name: string]: string | readonly string[] | undefined;
  };
  readonly complete: boolean;
  readonly destroyed: boolean;
  readonly readableEnded?: boolean;
  readonly socket: {
    readonly remoteAddress?: string | undefined;
    readonly encrypted?: boolean | undefined;
  };
  on(event: string, listener: (...values: never[]) => void): unknown;
  /** Absent in what only looks like Node. */
  iterator?(options: {
    destroyOnReturn: boolean;
  }): AsyncIterableIterator<unknown>;
  pause?(): unknown;
  resume?(): unknown;
  destroy(): unknown;
}

/** What the runtime uses of Node's `ServerResponse`. */
export interface NodeResponse {
  readonly destroyed: boolean;
  readonly writableFinished: boolean;
  readonly headersSent?: boolean;
  writeHead(status: number, headers: Record<string, string | number>): unknown;
  write(chunk: string | Uint8Array): boolean;
  end(chunk?: string | Uint8Array): unknown;
  flushHeaders?(): unknown;
  on(event: string, listener: () => void): unknown;
  once(event: string, listener: () => void): unknown;
  destroy(): unknown;
}

/** What a framework in between knows better than the request. */
export interface AdapterContext {
  /** Path and query without what the framework took off, and that. */
  readonly target?: string;
  readonly mount?: string;
  readonly protocol?: string;
  readonly host?: string | undefined;
  readonly remoteAddress?: string | undefined;
  /** The body, where the framework has read it. */
  readonly parsedBody?: unknown;
}
