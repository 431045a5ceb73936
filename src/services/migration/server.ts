import {
  ApiError,
  type Incoming,
  type LogEntry,
  type Outgoing,
  type Server,
} from "../../../generated/runtime/server/index.js";
import { createMigrationServer } from "../../../generated/migration/v1/server.js";
import type { LogLine, Service } from "../service.js";
import { envelope, identify, selectedVersion, VERSION } from "./access.js";
import type { Caller } from "./access.js";
import { handlers, type Parts } from "./handlers.js";
import { ARCHIVES } from "./signed-url.js";

/** Bytes of a request body: a thousand names of repositories have room. */
const BODY = 1024 * 1024;

/** The answers of the service: the API, and the downloads beside it. */
export function createAnswers(
  parts: Parts,
  log: (line: LogLine) => void,
): Pick<Service, "paths" | "handle"> & Pick<Server, "close"> {
  const { config, archives } = parts;
  const server = createMigrationServer<Caller>(
    { migrations: handlers(parts) },
    {
      authenticate: (asked) => identify(asked, config),
      envelope,
      limits: { body: BODY, depth: 10 },
      log: (entry) => log(lineOf(entry)),
    },
  );
  const answer = async (request: Incoming): Promise<Outgoing> => {
    const version = selectedVersion(request.header(VERSION), config.versions);
    const outgoing = await server.handle(strict(request));
    return version === undefined
      ? outgoing
      : {
          ...outgoing,
          headers: {
            ...outgoing.headers,
            "x-vendor-api-version-selected": version,
          },
        };
  };
  return {
    paths: ["/orgs/", ARCHIVES],
    handle: (request) =>
      request.target.startsWith(ARCHIVES)
        ? logged(request, archives.download(request), log)
        : answer(request),
    close: (timeout) => server.close(timeout),
  };
}

/** The request with a body that has to be UTF-8: what is none must not become another name. */
function strict(request: Incoming): Incoming {
  const read = request.text.bind(request);
  request.text = async (limit) => {
    const text = await read(limit);
    if (!text.includes("\ufffd")) return text;
    throw new ApiError(400, "Problems parsing JSON");
  };
  return request;
}

/** What the log tells of a request: never its target's query, its headers or its body. */
function lineOf({
  request,
  method,
  status,
  duration,
  error,
}: LogEntry): LogLine {
  return {
    service: "migration",
    event: "request",
    method: method?.id ?? request.method,
    status,
    ms: Math.round(duration),
    ...(status >= 500 && error instanceof Error
      ? { error: error.message.slice(0, 500) }
      : {}),
  };
}

async function logged(
  request: Incoming,
  answer: Promise<Outgoing>,
  log: (line: LogLine) => void,
): Promise<Outgoing> {
  const { status, ...rest } = await answer.catch(
    (error: unknown): Outgoing & { error?: string } => ({
      status: 500,
      headers: { "content-type": "application/json; charset=utf-8" },
      body: '{"message":"Internal error."}',
      error: String(error).slice(0, 500),
    }),
  );
  const { error, ...outgoing } = { error: undefined, ...rest };
  log({
    service: "migration",
    event: "request",
    method: `${request.method} archive`,
    status,
    ...(error === undefined ? {} : { error }),
  });
  return { status, ...outgoing };
}
