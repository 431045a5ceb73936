import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import type { Call } from "../../src/runtime/server/index.js";
import { serve } from "../attack/support/servers.js";
import { loadServer } from "../unit/server/generated.js";
import { library } from "../unit/server/library.js";

/** Python program that sends the entire request before it reads, as with blocking sockets. Prints statuses. */
const CLIENT = `
import http.client, sys
port, path, kind, size, times = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
def pieces():
    left = size
    while left > 0:
        yield b"x" * min(left, 65536)
        left -= 65536
for _ in range(times):
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=30)
    headers = {"content-type": "text/plain"}
    if kind == "length":
        headers["content-length"] = str(size)
    connection.request("POST", path, body=pieces(), headers=headers, encode_chunked=kind == "chunks")
    answer = connection.getresponse()
    print(answer.status, len(answer.read()) > 0)
`;

const PYTHON = "/usr/bin/python3";
const isThere = spawnSync(PYTHON, ["--version"]).status === 0;
if (!isThere) console.info(`blocking clients: skipped, ${PYTHON} is not there`);

describe.skipIf(!isThere)(
  "a blocking client can read why it is refused",
  () => {
    test.each([
      ["/library/v1/books", "length"],
      ["/library/v1/books", "chunks"],
      ["/upload/library/v1/books:scan?uploadType=media", "length"],
      ["/upload/library/v1/books:scan?uploadType=media", "chunks"],
    ])("%s, %s", async (target, kind) => {
      const create = await loadServer(library);
      const scan = async ({ media }: Call): Promise<object> => {
        await media!.bytes();
        return {};
      };
      const service = { insert: () => ({}), scan };
      const server = create({ books: service }, { limits: { body: 1000 } });
      const port = await serve(server);
      const size = 20 * 1024 * 1024;
      const args = [
        "-c",
        CLIENT,
        String(port),
        target,
        kind,
        String(size),
        "5",
      ];
      const { stdout } = await promisify(execFile)(PYTHON, args);
      expect(stdout.trim().split("\n")).toEqual(Array(5).fill("413 True"));
    });
  },
);
