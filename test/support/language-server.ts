import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { ROOT } from "./paths.js";

/** Position of a definition; lines start at 0. */
export interface Definition {
  readonly file: string;
  readonly line: number;
}

interface Response {
  readonly type: string;
  readonly command?: string;
  readonly body?: readonly {
    readonly file: string;
    readonly start: { readonly line: number };
  }[];
}

/**
 * Asks TypeScript's language server, as editors do, for the definition of the
 * name after the first occurrence of `before` in a file.
 */
export async function definitionOf(
  file: string,
  text: string,
  before: string,
): Promise<Definition> {
  const offset = text.indexOf(before) + before.length;
  const lines = text.slice(0, offset).split("\n");
  const position = { line: lines.length, offset: lines.at(-1)!.length + 1 };
  const server = spawn(process.execPath, [
    path.join(ROOT, "node_modules/ts6/lib/tsserver.js"),
    "--disableAutomaticTypingAcquisition",
  ]);
  try {
    const request = (seq: number, command: string, given: object): void => {
      const message = { seq, type: "request", command, arguments: given };
      server.stdin.write(`${JSON.stringify(message)}\n`);
    };
    request(1, "open", { file, fileContent: text });
    request(2, "definition", { file, ...position });
    for await (const line of createInterface(server.stdout)) {
      if (!line.startsWith("{")) continue;
      const { type, command, body } = JSON.parse(line) as Response;
      if (type !== "response" || command !== "definition") continue;
      const [found] = body ?? [];
      if (found === undefined) throw new Error(`no definition at ${before}`);
      return { file: found.file, line: found.start.line - 1 };
    }
    throw new Error("the language server ended without a response");
  } finally {
    server.kill();
    await once(server, "close");
  }
}
