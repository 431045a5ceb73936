/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * The parts of Node's modules that the transport uses. They are described
 * here and taken from `process` at run time, so that the runtime compiles and
 * bundles where there is no Node, and needs no types of it.
 */
export interface NodeStream extends AsyncIterable<Uint8Array> {
  /** Whether no more will come. */
  readonly destroyed: boolean;
  /** Whether the end has been read. */
  readonly readableEnded: boolean;
  on(event: "data", listener: (part: Uint8Array<ArrayBuffer>) => void): this;
  once(event: string, listener: (value: never) => void): this;
  pipe<T extends NodeStream | NodeRequest>(
    target: T,
    options?: { readonly end: boolean },
  ): T;
  destroy(error?: unknown): this;
  resume(): this;
}

/** A stream that is written to as well. */
export interface NodeDecoder extends NodeStream {
  end(last?: Uint8Array): void;
}

/** The answer to a request. */
export interface NodeMessage extends NodeStream {
  readonly statusCode?: number;
  readonly statusMessage?: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A request under way. */
export interface NodeRequest {
  once(event: "response", listener: (message: NodeMessage) => void): this;
  once(event: "error", listener: (error: unknown) => void): this;
  once(event: "close", listener: () => void): this;
  end(body?: string | Uint8Array): this;
  destroy(error?: unknown): this;
}

interface NodeHttp {
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

/** @throws TypeError where there is no Node, or one before 20.16. */
export function builtin<K extends keyof NodeModules>(name: K): NodeModules[K] {
  const { process } = globalThis as unknown as {
    readonly process?: { getBuiltinModule?(name: K): NodeModules[K] };
  };
  const found = process?.getBuiltinModule?.(name);
  if (!found) throw new TypeError("the node transport needs Node 20.16");
  return found;
}
