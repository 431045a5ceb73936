import { createMigrationServer } from "../../../generated/migration/v1/server.js";
import {
  ApiError,
  type Incoming,
  type Outgoing,
  type Server,
} from "../../../generated/runtime/server/index.js";
import { describeError, requestLog } from "../log.js";
import type { LogLine, Service } from "../service.js";
import { withoutNulls } from "../without-nulls.js";
import {
  authenticateCaller,
  type Caller,
  envelope,
  selectedVersion,
  VERSION_HEADER,
} from "./access.js";
import { errorResponse } from "./error-response.js";
import { handlers, type MigrationContext } from "./handlers.js";
import { unprocessable } from "./request.js";
import { ARCHIVES } from "./signed-url.js";

/**
 * Maximum size of a request body in bytes. It is sufficient for the names of a
 * thousand repositories.
 */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Creates the endpoints of the service: the methods of the API, and the
 * downloads of archives.
 */
export function createEndpoints(
  context: MigrationContext,
  log: (line: LogLine) => void,
): Pick<Service, "paths" | "handle"> & Pick<Server, "close"> {
  const { config, archives } = context;
  const server = createMigrationServer<Caller>(
    { migrations: handlers(context) },
    {
      authenticate: (request) => authenticateCaller(request, config),
      envelope,
      limits: { body: MAX_BODY_BYTES, depth: 10 },
      origin: config.origin,
      ...requestLog,
    },
  );
  const handleApi = async (request: Incoming): Promise<Outgoing> => {
    const version = selectedVersion(
      request.header(VERSION_HEADER),
      config.versions,
    );
    const outgoing = await server.handle(
      withCheckedBody(limitPageSize(request)),
    );
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
        ? catchErrors(archives.download(request), log)
        : handleApi(request),
    close: (timeout) => server.close(timeout),
  };
}

/** Maximum value of `per_page` in the API description. */
const PER_PAGE = 100;

/**
 * Limits `per_page` to its maximum. A larger value is not rejected, because
 * clients of this API rely on this behavior.
 */
function limitPageSize(request: Incoming): Incoming {
  const target = request.target.replace(
    /([?&]per_page=)0*([1-9]\d{2,})(?=&|$)/g,
    (parameter, name: string, digits: string) =>
      Number(digits) > PER_PAGE ? name + PER_PAGE : parameter,
  );
  if (target !== request.target)
    Object.defineProperty(request, "target", { value: target });
  return request;
}

/**
 * Makes `text()` of a request reject invalid bodies. The body must be a JSON
 * object in UTF-8 without duplicate members. Replacement characters (U+FFFD), which
 * result from invalid UTF-8, are rejected because they could change a name.
 */
function withCheckedBody(request: Incoming): Incoming {
  const read = request.text.bind(request);
  request.text = async (...bounds) => {
    const text = await read(...bounds);
    const shortened = withoutNulls(text);
    if (text.includes("\ufffd"))
      throw new ApiError(400, "Problems parsing JSON");
    if (/^\s*[["\dtfn-]/.test(text))
      throw new ApiError(400, "Body should be a JSON object");
    const duplicate = duplicateMember(text);
    if (duplicate === undefined) return shortened;
    const location = duplicate.slice(0, 100);
    const message = `Body member ${location} occurs more than once.`;
    throw unprocessable([{ message, code: "invalid", location }]);
  };
  return request;
}

/**
 * Converts the failure of a download to a 500 response, because the caller does
 * not handle rejected promises.
 */
function catchErrors(
  response: Promise<Outgoing>,
  log: (line: LogLine) => void,
): Promise<Outgoing> {
  return response.catch((error: unknown) => {
    const event = "download failed";
    log({ service: "migration", event, error: describeError(error) });
    return errorResponse(500, "Internal error.");
  });
}

/**
 * Pattern for JSON strings, braces and brackets. An unterminated string matches
 * up to the end of the text, so that matching takes linear time.
 */
const TOKENS = /"(?:[^"\\]|\\.)*(?:"|\\?$)(\s*:)?|[{}[\]]/gs;

/**
 * Returns the name of the first duplicate top-level member of a JSON object.
 * Duplicates are ambiguous: parsers differ in which value they use.
 */
function duplicateMember(json: string): string | undefined {
  const names = new Set<string>();
  let depth = 0;
  for (const [token, colon] of json.matchAll(TOKENS)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (depth === 1 && colon !== undefined) {
      const name = decode(token.slice(0, -colon.length));
      if (names.has(name)) return name;
      names.add(name);
    }
  }
  return undefined;
}

/**
 * Decodes a JSON string. Malformed strings are reported later by the JSON
 * parser.
 */
function decode(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}
