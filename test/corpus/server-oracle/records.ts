import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { SHARED } from "../../support/paths.js";

const ORACLE = path.join(SHARED, "oracle");

/** A payload in the notation of the records. */
export interface Payload {
  readonly ref?: "input" | "media";
  readonly json?: unknown;
  readonly text?: string;
  readonly base64?: string;
  readonly parts?: readonly (Payload & {
    readonly headers: Readonly<Record<string, string>>;
  })[];
}

/** A request of an official client. */
export interface Expected {
  readonly method: string;
  readonly path: string;
  readonly rawQuery: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Payload | null;
}

/** A recorded call. */
export interface OracleRecord {
  readonly id: string;
  readonly methodId: string;
  readonly kind: "call" | "media" | "download" | "next";
  readonly case: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly media?: {
    readonly protocol: string;
    readonly mimeType: string;
    readonly base64: string;
  };
  readonly next?: {
    readonly requestField: string;
    readonly in: "query" | "body";
    readonly token: string;
  };
  readonly expected?: Expected;
  /** Resumable uploads: the second request. */
  readonly upload?: Pick<Expected, "method" | "headers" | "body">;
}

/** A record with one of its requests. */
export interface Seen {
  readonly record: OracleRecord;
  /** Client that sent the request. */
  readonly client: "python" | "python-new" | "node";
  readonly expected: Expected;
}

interface Overlay {
  readonly id: string;
  readonly expected?: Expected;
}

/** Returns all recorded requests of official clients for a document. */
export function seenRequests(name: string): Seen[] {
  const records = rows<OracleRecord>("python", name);
  const byId = new Map(records.map((record) => [record.id, record]));
  const own = records.flatMap((record): Seen[] =>
    record.expected === undefined
      ? []
      : [{ record, client: "python", expected: record.expected }],
  );
  const others = (["python-new", "node"] as const).flatMap((client) =>
    rows<Overlay>(client, name).flatMap(({ id, expected }): Seen[] => {
      const record = byId.get(id);
      return record === undefined || expected === undefined
        ? []
        : [{ record, client, expected }];
    }),
  );
  return [...own, ...others];
}

function rows<T>(client: string, name: string): T[] {
  const file = path.join(ORACLE, client, `${name}.jsonl`);
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .slice(1)
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
