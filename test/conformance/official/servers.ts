import { readFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { toNodeListener } from "../../../src/runtime/server/index.js";
import { CORPUS } from "../../corpus/support.js";
import { loadServer } from "../../unit/server/generated.js";
import { driveService } from "./services/drive.js";
import { pubsubService } from "./services/pubsub.js";
import { storageService } from "./services/storage.js";
import { tasksService } from "./services/tasks.js";

const SERVICES = {
  "storage.v1": storageService,
  "drive.v3": driveService,
  "tasks.v1": tasksService,
  "pubsub.v1": pubsubService,
} as const;

/** Documents whose servers are tested with official clients. */
export type DocumentName = keyof typeof SERVICES;

/** Generated servers on loopback. */
export interface Running {
  /** Root URL, such as `http://127.0.0.1:40000/`. */
  readonly rootUrls: Readonly<Record<DocumentName, string>>;
  /** Errors of the servers; none may occur. */
  readonly crashes: readonly string[];
  close(): Promise<void>;
}

/** Generates the servers of all documents, and starts them with services. */
export async function startServers(): Promise<Running> {
  const crashes: string[] = [];
  const started = await Promise.all(
    (Object.keys(SERVICES) as DocumentName[]).map(async (name) => {
      const create = await loadServer(
        readFileSync(path.join(CORPUS, `${name}.json`), "utf8"),
      );
      const server = create(SERVICES[name](), {
        log({ status, error, request }) {
          if (status === 500)
            crashes.push(`${name} ${request.target}: ${String(error)}`);
        },
      });
      const listening = http.createServer(toNodeListener(server));
      await new Promise<void>((resolve) =>
        listening.listen(0, "127.0.0.1", resolve),
      );
      const { port } = listening.address() as AddressInfo;
      return { name, listening, url: `http://127.0.0.1:${port}/` };
    }),
  );
  return {
    rootUrls: Object.fromEntries(
      started.map(({ name, url }) => [name, url]),
    ) as Record<DocumentName, string>,
    crashes,
    async close() {
      await Promise.all(
        started.map(async ({ listening }) => {
          const closed = new Promise((resolve) => listening.close(resolve));
          listening.closeAllConnections();
          await closed;
        }),
      );
    },
  };
}
