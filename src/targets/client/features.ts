import type { Credential, Method, Upload } from "../../model/ir.js";
import { renameVariables } from "../../model/uri-template.js";
import { Code } from "../../render/typescript/code.js";
import { Call, type Data } from "../../render/typescript/literals.js";
import { generic, type TypeTree } from "../../render/typescript/types.js";
import type { FileContext } from "../shared/file-context.js";
import { typeOf, type TypeNames } from "../shared/types.js";

/** Wire names of renamed properties. */
export type Renamed = Readonly<Record<string, string>>;

/** Feature of the call objects of some methods. */
export interface CallFeature {
  applies(method: Method): boolean;
  /** Returns the entry in `use` of the descriptor. */
  use?(method: Method, file: FileContext, renamed: Renamed): Data;
  /** Returns the type of the call object. */
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

/** Responses of any media type: the value is the media. */
const rawResponse: CallFeature = {
  applies: ({ rawResponse }) => rawResponse === true,
  use: (_, file) => new Code(file.runtimeValue("rawResponse")),
  type: (_, result, file) => generic(file.runtimeType("MediaCall"), result),
};

const upload: CallFeature = {
  applies: ({ upload }) => isUpload(upload),
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

/** Typed response headers; `RedirectCall` types those of redirects itself. */
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
  use({ stream }, file) {
    const { format, when, end } = stream!;
    if (format === "array") return make(file, "jsonArray");
    return make(file, "events", { when: when as Data & object, end });
  },
  type({ stream }, result, file, types) {
    const element = typeOf(stream!.element, "output", types);
    return generic(file.runtimeType("StreamCall"), result, element);
  },
};

/**
 * Features in the order of the descriptor: those that change the call itself
 * first. The first type in an intersection determines `withResponse()`, so the
 * one with typed headers is first.
 */
const FEATURES: readonly CallFeature[] = [
  knownHeaders,
  headers,
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

/** Returns the features of a method's calls, in the order of the descriptor. */
export function featuresOf(method: Method): readonly CallFeature[] {
  return FEATURES.filter((feature) => feature.applies(method));
}

/** Returns whether a successful response is a redirect to the content (`x-status`). */
export function isRedirect({ redirects }: Method): boolean {
  return redirects === true;
}

/** Returns the runtime settings for the position of a credential. */
export function credentialRules({ in: position, name, schemes }: Credential): {
  readonly [key: string]: Data | undefined;
} {
  return {
    in: position === "query" ? position : undefined,
    name,
    scheme: position === "query" ? undefined : schemes[0],
  };
}

/** Returns whether a method has an upload path. */
export function isUpload(upload: Upload | undefined): upload is Upload {
  return upload?.simple !== undefined || upload?.resumable !== undefined;
}

/** Renames the variables of a path to properties, by which the runtime looks them up. */
export function pathOf(path: string, renamed: Renamed): string {
  const properties = new Map(
    Object.entries(renamed).map(([name, wire]) => [wire, name]),
  );
  return properties.size === 0 ? path : renameVariables(path, properties);
}

/** Returns an upload path, which is relative to the root URL. */
function uploadPath(path: string, renamed: Renamed): string {
  return `/${pathOf(path, renamed).replace(/^\/+/, "")}`;
}

/** Marks the call as pure: otherwise bundlers keep unused methods that contain it. */
function make(
  file: FileContext,
  name: string,
  settings?: { readonly [key: string]: Data | undefined },
): Call {
  return new Call(`/* @__PURE__ */ ${file.runtimeValue(name)}`, settings);
}
