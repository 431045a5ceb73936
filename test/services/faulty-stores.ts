import net, { type AddressInfo } from "node:net";
import { ClassicLevel } from "classic-level";
import {
  type Database,
  levelStore,
  type Operation,
} from "../../src/services/store/level.js";
import { memoryStore } from "../../src/services/store/open.js";
import { postgresStore } from "../../src/services/store/postgres.js";
import type { Store, Transaction } from "../../src/services/store/store.js";

/** Store with an operation that fails on request. */
export interface FaultyStore {
  readonly store: Store;
  /** Makes the operation after `count` others fail, before or after it takes effect. */
  arm(count: number, isAfter: boolean): void;
  /** Returns true if the failure has happened; then none is pending. */
  disarm(): boolean;
  /** Opens the state that a crash would leave now. */
  reopen(): Promise<Store>;
}

/** Counts operations up to the failing one. */
class Fault {
  #left = Infinity;
  #isAfter = false;
  #hasFailed = false;

  readonly arm = (count: number, isAfter: boolean): void => {
    this.#left = count;
    this.#isAfter = isAfter;
    this.#hasFailed = false;
  };

  readonly disarm = (): boolean => {
    this.#left = Infinity;
    return this.#hasFailed;
  };

  /** Returns when the operation fails; undefined if it does not. */
  next(): "before" | "after" | undefined {
    if (this.#left-- !== 0) return undefined;
    this.#hasFailed = true;
    return this.#isAfter ? "after" : "before";
  }

  async run<T>(operation: () => Promise<T>): Promise<T> {
    const failure = this.next();
    if (failure === "before") throw new Error("injected before");
    const result = await operation();
    if (failure === "after") throw new Error("injected after");
    return result;
  }
}

/** Memory can fail only within the caller's function. */
export function faultyMemory(): FaultyStore {
  const fault = new Fault();
  const memory = memoryStore();
  const store: Store = {
    ...memory,
    transaction: (run) =>
      memory.transaction(async (tx) => {
        const faulty: Transaction = {
          get: (table, key) => fault.run(() => tx.get(table, key)),
          list: (table, range) => fault.run(() => tx.list(table, range)),
          count: (table, prefix) => fault.run(() => tx.count(table, prefix)),
          existing: (table, keys) => fault.run(() => tx.existing(table, keys)),
          nextId: (sequence) => fault.run(() => tx.nextId(sequence)),
          put: (...row) => tx.put(...row),
          delete: (...row) => tx.delete(...row),
        };
        const result = await run(faulty);
        await fault.run(async () => {});
        return result;
      }),
  };
  const reopen = async (): Promise<Store> => memory;
  return { store, arm: fault.arm, disarm: fault.disarm, reopen };
}

/** LevelDB with a partial log record after a failed write; later records in that log are lost. */
export async function faultyLevel(folder: string): Promise<FaultyStore> {
  const fault = new Fault();
  const openReal = async (): Promise<Database> => {
    const database = new ClassicLevel<string, string>(folder);
    await database.open();
    let isTorn = false;
    return {
      get: ((key: string) =>
        fault.run(() => database.get(key))) as Database["get"],
      getMany: ((keys: string[]) =>
        fault.run(() => database.getMany(keys))) as Database["getMany"],
      iterator: ((options: object) => {
        const iterator = database.iterator(options);
        return { all: () => fault.run(() => iterator.all()) };
      }) as unknown as Database["iterator"],
      keys: ((options: object) => {
        const iterator = database.keys(options);
        return { all: () => fault.run(() => iterator.all()) };
      }) as unknown as Database["keys"],
      batch: (async (batch: Operation[], options: { sync: boolean }) => {
        if (isTorn) return;
        try {
          await fault.run(() => database.batch(batch, options));
        } catch (error) {
          isTorn = true;
          throw error;
        }
      }) as unknown as Database["batch"],
      close: async () => {
        const failure = fault.next();
        if (failure === "before") throw new Error("injected before");
        await database.close();
      },
    };
  };
  const opener = {
    open: async () => {
      if (fault.next() !== undefined) throw new Error("injected open");
      return openReal();
    },
    probe: () => fault.run(async () => {}),
  };
  const store = await levelStore(folder, opener);
  return {
    store,
    arm: fault.arm,
    disarm: fault.disarm,
    reopen: async () => {
      await store.close();
      return levelStore(folder);
    },
  };
}

/** PostgreSQL behind a proxy that closes a connection before or after forwarding a message. */
export async function faultyPostgres(url: string): Promise<FaultyStore> {
  const fault = new Fault();
  const { hostname, port } = new URL(url);
  const sockets = new Set<net.Socket>();
  const proxy = net.createServer((client) => {
    const server = net.connect(Number(port), hostname);
    const end = (): void => {
      client.destroy();
      server.destroy();
      sockets.delete(client);
    };
    sockets.add(client);
    for (const socket of [client, server])
      socket.on("error", end).on("close", end);
    let isDeaf = false;
    client.on("data", (bytes: Buffer) => {
      const failure = fault.next();
      if (failure === "before") return end();
      isDeaf ||= failure === "after";
      server.write(bytes);
    });
    server.on("data", (bytes: Buffer) =>
      isDeaf ? end() : void client.write(bytes),
    );
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const behind = new URL(url);
  behind.port = String((proxy.address() as AddressInfo).port);
  const store = await postgresStore(behind.href);
  return {
    store,
    arm: fault.arm,
    disarm: fault.disarm,
    reopen: async () => {
      await store.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
      return postgresStore(url);
    },
  };
}
