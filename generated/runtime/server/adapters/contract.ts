/* eslint-disable */
// biome-ignore-all lint: generated

/** Members of Node's `IncomingMessage` that the adapters use. */
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
  /** Absent if a framework only emulates Node's `IncomingMessage`. */
  iterator?(options: {
    destroyOnReturn: boolean;
  }): AsyncIterableIterator<unknown>;
  pause?(): unknown;
  resume?(): unknown;
  destroy(): unknown;
}

/** Members of Node's `ServerResponse` that the adapters use. */
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

/**
 * Values that a framework provides. They override the values in Node's request.
 */
export interface AdapterContext {
  /**
   * Path and query relative to `mount`, the path prefix that the framework
   * removed.
   */
  readonly target?: string;
  readonly mount?: string;
  readonly protocol?: string;
  readonly host?: string | undefined;
  readonly remoteAddress?: string | undefined;
  /** Parsed body; present if the framework has already read the body. */
  readonly parsedBody?: unknown;
}
