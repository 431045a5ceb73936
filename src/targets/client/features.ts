import {
  eventStream,
  hasUploadProtocol,
  isRedirect,
} from "../../model/bodies.js";
import type { Method } from "../../model/ir.js";
import { renameVariables } from "../../model/uri-template.js";
import { Code } from "../../render/typescript/code.js";
import { Call, type Data } from "../../render/typescript/literals.js";
import { generic, type TypeTree } from "../../render/typescript/types.js";
import type { FileContext } from "../shared/file-context.js";
import { credentialRules } from "./credential.js";
import { typeOf, type TypeNames } from "../shared/types.js";

/** Wire name by property, where they differ. */
export type Renamed = Readonly<Record<string, string>>;

/** What calls of some methods can do beyond being awaited. */
export interface CallFeature {
  applies(method: Method): boolean;
  /** The entry of the descriptor's `use`. */
  use?(method: Method, file: FileContext, renamed: Renamed): Data;
  /** The type of the call object. */
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
  use: (_, file) => new Code(file.runtimeValue("redirected")),
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
    const isUsual = Object.values(settings).every((one) => one === undefined);
    return make(file, "linked", isUsual ? undefined : settings);
  },
  type: (_, result, file) => generic(file.runtimeType("ListCall"), result),
};

const paging: CallFeature = {
  applies: ({ paging }) => paging !== undefined,
  use({ paging }, file) {
    const { token, next, items } = paging!;
    return make(file, "paged", {
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

/** Answers of any type: the value is the media. */
const rawAnswer: CallFeature = {
  applies: ({ rawResponse }) => rawResponse === true,
  use: (_, file) => new Code(file.runtimeValue("rawAnswer")),
  type: (_, result, file) => generic(file.runtimeType("MediaCall"), result),
};

const upload: CallFeature = {
  applies: ({ upload }) => hasUploadProtocol(upload),
  use({ upload }, file, renamed) {
    const { simple, resumable, accept, maxSize } = upload!;
    const takesAll = accept.length === 0 || accept.includes("*/*");
    return make(file, "upload", {
      simple: simple && uploadPath(simple.path, renamed),
      resumable: resumable && uploadPath(resumable.path, renamed),
      multipart: simple?.multipart === true ? true : undefined,
      accept: takesAll ? undefined : accept,
      maxSize,
    });
  },
};

/** Headers of a redirect are typed by its own kind of call. */
const knownHeaders: CallFeature = {
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
 * Those that change the call itself come first; of the types that with its own
 * `withResponse()`, for the first one counts.
 */
const FEATURES: readonly CallFeature[] = [
  knownHeaders,
  headers,
  ownCredential,
  redirect,
  links,
  paging,
  download,
  rawAnswer,
  upload,
  operation,
  stream,
];

/** The features of a method's calls, in the order of the descriptor. */
export function featuresOf(method: Method): readonly CallFeature[] {
  return FEATURES.filter((feature) => feature.applies(method));
}

/** The runtime looks variables up by property, so paths have those names. */
export function pathOf(path: string, renamed: Renamed): string {
  const properties = new Map(
    Object.entries(renamed).map(([name, wire]) => [wire, name]),
  );
  return properties.size === 0 ? path : renameVariables(path, properties);
}

/** Upload paths stand below the root. */
function uploadPath(path: string, renamed: Renamed): string {
  return `/${pathOf(path, renamed).replace(/^\/+/, "")}`;
}

/** Bundlers drop an unused method only if they may drop the calls within it. */
function make(
  file: FileContext,
  name: string,
  settings?: { readonly [key: string]: Data | undefined },
): Call {
  return new Call(`/* @__PURE__ */ ${file.runtimeValue(name)}`, settings);
}
