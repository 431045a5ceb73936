import {
  ApiError,
  type Incoming,
  type Outgoing,
  type Server,
} from "../../../generated/runtime/server/index.js";
import { createMigrationServer } from "../../../generated/migration/v1/server.js";
import { describe, requestLog } from "../log.js";
import type { LogLine, Service } from "../service.js";
import { envelope, identify, selectedVersion, VERSION } from "./access.js";
import type { Caller } from "./access.js";
import { withoutNulls } from "../without-nulls.js";
import { duplicateMember } from "./duplicates.js";
import { failure } from "./error-response.js";
import { handlers, type Parts } from "./handlers.js";
import { unprocessable } from "./request.js";
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
      origin: config.origin,
      ...requestLog,
    },
  );
  const answer = async (request: Incoming): Promise<Outgoing> => {
    const version = selectedVersion(request.header(VERSION), config.versions);
    const outgoing = await server.handle(strict(cut(request)));
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
        ? safely(archives.download(request), log)
        : answer(request),
    close: (timeout) => server.close(timeout),
  };
}

/** Entries on a page at most, as the description has it. */
const PER_PAGE = 100;

/** The request with `per_page` cut to its maximum: clients of this API rely on it. */
function cut(request: Incoming): Incoming {
  const target = request.target.replace(
    /([?&]per_page=)0*([1-9]\d{2,})(?=&|$)/g,
    (whole, name: string, digits: string) =>
      Number(digits) > PER_PAGE ? name + PER_PAGE : whole,
  );
  if (target !== request.target)
    Object.defineProperty(request, "target", { value: target });
  return request;
}

/**
 * The request with a body that has to be an object, in UTF-8: what is none must
 * not become another name.
 */
function strict(request: Incoming): Incoming {
  const read = request.text.bind(request);
  request.text = async (...bounds) => {
    const text = await read(...bounds);
    const shortened = withoutNulls(text);
    if (text.includes("\ufffd"))
      throw new ApiError(400, "Problems parsing JSON");
    if (/^\s*[["\dtfn-]/.test(text))
      throw new ApiError(400, "Body should be a JSON object");
    const twice = duplicateMember(text);
    if (twice === undefined) return shortened;
    const location = twice.slice(0, 100);
    const message = `Body member ${location} is given more than once.`;
    throw unprocessable([{ message, code: "invalid", location }]);
  };
  return request;
}

/** A download that fails must not reject: nobody else catches it. */
function safely(
  answer: Promise<Outgoing>,
  log: (line: LogLine) => void,
): Promise<Outgoing> {
  return answer.catch((error: unknown) => {
    const event = "download failed";
    log({ service: "migration", event, error: describe(error) });
    return failure(500, "Internal error.");
  });
}
