/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Members of Node's readable streams that the transport uses. This file
 * declares the types of Node's modules itself and loads the modules through
 * `process` at run time. Therefore, the runtime does not need `@types/node` and
 * can be compiled and bundled for other platforms.
 */
export interface NodeStream extends AsyncIterable<Uint8Array> {
  readonly destroyed: boolean;
  /** `true` after the stream has emitted the `end` event. */
  readonly readableEnded: boolean;
  on(event: "data", listener: (part: Uint8Array<ArrayBuffer>) => void): this;
  on(event: "end" | "close", listener: () => void): this;
  on(event: "error", listener: (error: unknown) => void): this;
  once(event: string, listener: (value: never) => void): this;
  pipe<T extends NodeStream | NodeRequest>(
    target: T,
    options?: { readonly end: boolean },
  ): T;
  destroy(error?: unknown): this;
  resume(): this;
}

/** Stream that decompresses the data written to it. */
export interface NodeDecoder extends NodeStream {
  end(last?: Uint8Array): void;
}

/** Response to an HTTP request. */
export interface NodeMessage extends NodeStream {
  /**
   * Header names and values as received, in the order name, value, name, value.
   */
  readonly rawHeaders: readonly string[];
  readonly statusCode?: number;
  readonly statusMessage?: string;
  /**
   * Headers, keyed by lower-case name. Node creates this object when it is
   * first read.
   */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** HTTP request in flight. */
export interface NodeRequest {
  on(event: "response", listener: (message: NodeMessage) => void): this;
  on(event: "error", listener: (error: unknown) => void): this;
  on(event: "close", listener: () => void): this;
  end(body?: string | Uint8Array): this;
  destroy(error?: unknown): this;
}

/** Members of the modules `http` and `https` that the transport uses. */
export interface NodeHttp {
  request(options: object): NodeRequest;
  readonly Agent: new (options: object) => object;
}

interface NodeModules {
  readonly "node:http": NodeHttp;
  readonly "node:https": NodeHttp;
  readonly "node:zlib": {
    createUnzip(): NodeDecoder;
    createBrotliDecompress(): NodeDecoder;
  };
  readonly "node:stream": {
    readonly Readable: {
      from(source: unknown): NodeStream;
      toWeb(source: NodeStream): NonNullable<Response["body"]>;
    };
  };
}

/**
 * Returns a built-in module of Node.
 *
 * @throws TypeError on platforms other than Node, and on Node before 20.16.
 */
export function builtin<K extends keyof NodeModules>(name: K): NodeModules[K] {
  const { process } = globalThis as unknown as {
    readonly process?: { getBuiltinModule?(name: K): NodeModules[K] };
  };
  const module = process?.getBuiltinModule?.(name);
  if (!module)
    throw new TypeError("nodeTransport requires Node 20.16 or later");
  return module;
}
