/* eslint-disable */
// biome-ignore-all lint: generated

/** Subset of Node's `IncomingMessage`. */
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
  /** Missing in frameworks that only emulate Node's request. */
  iterator?(options: {
    destroyOnReturn: boolean;
  }): AsyncIterableIterator<unknown>;
  pause?(): unknown;
  resume?(): unknown;
  destroy(): unknown;
}

/** Subset of Node's `ServerResponse`. */
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

/** Values that a framework determines, instead of the request itself. */
export interface AdapterContext {
  /** Path and query below `mount`, and the path removed by the framework. */
  readonly target?: string;
  readonly mount?: string;
  readonly protocol?: string;
  readonly host?: string | undefined;
  readonly remoteAddress?: string | undefined;
  /** Body, if the framework has read it. */
  readonly parsedBody?: unknown;
}
