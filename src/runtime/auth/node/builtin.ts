/*
 * Declares the parts of Node's modules that this folder uses and loads the
 * modules through `process` at run time, so that the runtime needs no
 * `@types/node` and can be compiled for other platforms.
 */

/** Members of the module `fs/promises`. */
interface NodeFiles {
  readFile(path: string): Promise<Uint8Array<ArrayBuffer>>;
  stat(path: string): Promise<{ readonly size: number; isFile(): boolean }>;
  writeFile(
    path: string,
    text: string,
    options: { readonly mode: number; readonly flag: string },
  ): Promise<void>;
  mkdir(
    path: string,
    options: { readonly recursive: true; readonly mode: number },
  ): Promise<unknown>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { readonly force: true }): Promise<void>;
}

/** Program in execution. */
interface NodeChild {
  readonly stdout: {
    on(event: "data", listener: (part: Uint8Array) => void): void;
  };
  on(
    event: "error",
    listener: (error: { readonly code?: string }) => void,
  ): void;
  on(event: "close", listener: (code: number | null) => void): void;
  kill(signal: "SIGKILL"): void;
}

/** Server on the local machine. */
export interface NodeServer {
  listen(port: number, host: string, listener: () => void): void;
  address(): { readonly port: number };
  on(event: "error", listener: (error: unknown) => void): void;
  close(): void;
}

interface NodeModules {
  readonly "node:fs/promises": NodeFiles;
  readonly "node:child_process": {
    spawn(
      program: string,
      args: readonly string[],
      options: {
        readonly env: Readonly<Record<string, string | undefined>>;
        readonly stdio: readonly string[];
      },
    ): NodeChild;
  };
  readonly "node:http": {
    createServer(
      listener: (
        request: { readonly url?: string },
        response: {
          writeHead(
            status: number,
            headers: Readonly<Record<string, string>>,
          ): { end(text: string): void };
        },
      ) => void,
    ): NodeServer;
  };
}

interface NodeProcess {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  getBuiltinModule?<K extends keyof NodeModules>(
    name: K,
  ): NodeModules[K] | undefined;
}

/** Returns the object `process` of Node, Deno and Bun. */
export function nodeProcess(): NodeProcess {
  const { process } = globalThis as unknown as {
    readonly process?: NodeProcess;
  };
  if (!process?.getBuiltinModule)
    throw new TypeError("this function requires Node 20.16 or later");
  return process;
}

/**
 * Returns a built-in module of Node.
 *
 * @throws TypeError on platforms without Node's modules.
 */
export function builtin<K extends keyof NodeModules>(name: K): NodeModules[K] {
  const module = nodeProcess().getBuiltinModule!(name);
  if (!module) throw new TypeError(`${name} is not available`);
  return module;
}
