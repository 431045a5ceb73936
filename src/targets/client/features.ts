import {
  acceptedRanges,
  eventStream,
  hasUploadProtocol,
  isRedirect,
} from "../../model/bodies.js";
import { requestIdParameter } from "../../model/infer/request-id.js";
import type { Method } from "../../model/ir.js";
import { renameVariables } from "../../model/uri-template.js";
import { Code } from "../../render/typescript/code.js";
import { Call, type Data } from "../../render/typescript/literals.js";
import { generic, type TypeTree } from "../../render/typescript/types.js";
import type { FileContext } from "../shared/file-context.js";
import { credentialRules } from "./credential.js";
import { typeOf, type TypeNames } from "../shared/types.js";

/**
 * Map from property name to the name in requests, for properties whose name
 * differs.
 */
export type Renamed = Readonly<Record<string, string>>;

/** Optional feature of methods, such as pagination. */
export interface CallFeature {
  applies(method: Method): boolean;
  /**
   * Returns the expression that enables the feature. It becomes an element of
   * `use` in the object that describes the method to the client runtime.
   */
  use?(method: Method, file: FileContext, renamed: Renamed): Data;
  /** Returns the type that the feature contributes to the type of a call. */
  type?(
    method: Method,
    result: TypeTree,
    file: FileContext,
    types: TypeNames,
    headers: TypeTree | undefined,
  ): TypeTree;
}

const headers: CallFeature = {
  applies: ({ headers }) => headers !== undefined,
  use: ({ headers }, file) =>
    make(file, "headerParameters", { names: headers!.map(({ name }) => name) }),
};

const requestId: CallFeature = {
  applies: (method) => requestIdParameter(method) !== undefined,
  use: (_, file) => new Code(file.runtimeValue("requestId")),
};

const ownCredential: CallFeature = {
  applies: ({ hasOwnCredential }) => hasOwnCredential === true,
  use: ({ credential }, file) =>
    make(
      file,
      "credential",
      credential === undefined ? undefined : credentialRules(credential),
    ),
};

const redirect: CallFeature = {
  applies: isRedirect,
  use: (_, file) => new Code(file.runtimeValue("redirectDownload")),
  type: (_, __, file, ___, headers) =>
    generic(
      file.runtimeType("RedirectCall"),
      ...(headers === undefined ? [] : [headers]),
    ),
};

const links: CallFeature = {
  applies: ({ links }) => links !== undefined,
  use({ links }, file) {
    const { page, link } = links!;
    const settings = {
      page: page === "page" ? undefined : page,
      link: link.toLowerCase() === "link" ? undefined : link,
    };
    const isDefault = Object.values(settings).every(
      (value) => value === undefined,
    );
    return make(file, "linkPagination", isDefault ? undefined : settings);
  },
  type: (_, result, file) => generic(file.runtimeType("ListCall"), result),
};

const paging: CallFeature = {
  applies: ({ paging }) => paging !== undefined,
  use({ paging }, file) {
    const { token, next, items } = paging!;
    return make(file, "tokenPagination", {
      items: items?.field,
      token: token === "pageToken" ? undefined : token,
      next: next === "nextPageToken" ? undefined : next,
      in: paging!.in === "body" ? "body" : undefined,
    });
  },
  type({ paging }, result, file) {
    const { items } = paging!;
    if (items === undefined)
      return generic(file.runtimeType("PagesCall"), result);
    const field: TypeTree = { kind: "literal", value: items.field };
    return generic(file.runtimeType("PagedCall"), result, field);
  },
};

const download: CallFeature = {
  applies: ({ download }) => download !== undefined,
  use: (_, file) => new Code(file.runtimeValue("download")),
  type: (_, result, file) => generic(file.runtimeType("MediaCall"), result),
};

/**
 * Feature of methods that return content of any media type. The result of a
 * call is this content.
 */
const rawResponse: CallFeature = {
  applies: ({ rawResponse }) => rawResponse === true,
  use: (_, file) => new Code(file.runtimeValue("rawResponse")),
  type: (_, result, file) => generic(file.runtimeType("MediaCall"), result),
};

const upload: CallFeature = {
  applies: ({ upload }) => hasUploadProtocol(upload),
  use({ upload }, file, renamed) {
    const { simple, resumable, maxSize } = upload!;
    return make(file, "upload", {
      simple: simple && uploadPath(simple.path, renamed),
      resumable: resumable && uploadPath(resumable.path, renamed),
      multipart: simple?.multipart === true ? true : undefined,
      accept: acceptedRanges(upload!),
      maxSize,
    });
  },
};

/**
 * Feature of methods with declared response headers. Does not apply to
 * redirects, because `RedirectCall` already includes the headers.
 */
const responseHeaders: CallFeature = {
  applies: (method) =>
    method.responseHeaders !== undefined && !isRedirect(method),
  type: (_, result, file, __, headers) =>
    generic(file.runtimeType("HeadedCall"), result, headers!),
};

const operation: CallFeature = {
  applies: ({ operation }) => operation?.poll !== undefined,
  use({ operation }, file, renamed) {
    const { path, variable, query } = operation!.poll!;
    return make(file, "operation", {
      poll: pathOf(path, renamed),
      name: variable === "name" ? undefined : variable,
      query: query.length === 0 ? undefined : query,
    });
  },
  type({ operation }, state, file, types) {
    const call = file.runtimeType("OperationCall");
    const { style, result } = operation!;
    if (style === "status") return generic(call, state, state);
    if (result === undefined) return generic(call, state);
    return generic(call, state, typeOf(result, "output", types));
  },
};

const stream: CallFeature = {
  applies: ({ stream, paging }) => stream !== undefined && paging === undefined,
  use(method, file) {
    const events = eventStream(method);
    if (events === undefined) return make(file, "jsonArray");
    const { when, end } = events;
    return make(file, "events", { when: when as Data & object, end });
  },
  type({ stream }, result, file, types) {
    const element = typeOf(stream!.element, "output", types);
    return generic(file.runtimeType("StreamCall"), result, element);
  },
};

/**
 * All features, in the order in which the client runtime applies them. Features
 * that change how a call is sent come first. `responseHeaders` also comes
 * first, because TypeScript uses the `withResponse()` of the first type in an
 * intersection.
 */
const FEATURES: readonly CallFeature[] = [
  responseHeaders,
  headers,
  requestId,
  ownCredential,
  redirect,
  links,
  paging,
  download,
  rawResponse,
  upload,
  operation,
  stream,
];

/** Returns the features of a method, in the order of `FEATURES`. */
export function featuresOf(method: Method): readonly CallFeature[] {
  return FEATURES.filter((feature) => feature.applies(method));
}

/**
 * Returns the path template with each variable renamed to a property of the
 * parameters object. The runtime reads the value of the variable from this
 * property.
 */
export function pathOf(path: string, renamed: Renamed): string {
  const properties = new Map(
    Object.entries(renamed).map(([name, wire]) => [wire, name]),
  );
  return properties.size === 0 ? path : renameVariables(path, properties);
}

/** Returns the upload path, relative to the origin of the root URL. */
function uploadPath(path: string, renamed: Renamed): string {
  return `/${pathOf(path, renamed).replace(/^\/+/, "")}`;
}

/** Returns a call of a function of the client runtime. */
function make(
  file: FileContext,
  name: string,
  settings?: { readonly [key: string]: Data | undefined },
): Call {
  return new Call(file.runtimeValue(name), settings);
}
