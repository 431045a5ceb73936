import { createHash } from "node:crypto";
import { ApiError, content } from "../../../../src/runtime/server/index.js";
import {
  countOf,
  known,
  pageOf,
  text,
  type Asked,
  type Fields,
} from "./service.js";

interface Kept {
  readonly meta: Fields;
  readonly bytes: Uint8Array;
}

const FOLDER = "application/vnd.google-apps.folder";

/** Files and folders, as far as clients of Drive need them. */
export function driveService(): object {
  const files = new Map<string, Kept>();
  let count = 0;
  const fileOf = ({ params }: Asked): Kept =>
    known(files, text(params, "fileId"), "File");
  const put = async (
    id: string,
    call: Asked,
    old: Fields = {},
  ): Promise<Fields> => {
    const { body, media } = call;
    const bytes = (await media?.bytes())?.slice() ?? files.get(id)?.bytes;
    const type = media === undefined ? {} : { mimeType: media.contentType };
    const meta = metaOf(id, { ...old, ...type, ...body }, bytes);
    files.set(id, { meta, bytes: bytes ?? new Uint8Array() });
    return meta;
  };
  return {
    about: {
      get({ params }: Asked) {
        if (params["fields"] === undefined)
          throw new ApiError(400, "The 'fields' parameter is required.");
        const user = { kind: "drive#user", displayName: "Somebody", me: true };
        return { kind: "drive#about", user, maxUploadSize: "5242880000000" };
      },
    },
    files: {
      create: (call: Asked) => put(`file-${++count}`, call),
      update(call: Asked) {
        const { meta } = fileOf(call);
        return put(String(meta["id"]), call, meta);
      },
      get(call: Asked) {
        const { meta, bytes } = fileOf(call);
        if (!call.wantsContent) return meta;
        if (meta["mimeType"] === FOLDER)
          throw new ApiError(
            403,
            "Only files with binary content can be downloaded.",
            {
              reason: "fileNotDownloadable",
            },
          );
        return content({ body: bytes, contentType: String(meta["mimeType"]) });
      },
      list({ params }: Asked) {
        const wanted = /^name contains '(.*)'$/.exec(text(params, "q"))?.[1];
        const all = [...files.values()]
          .map(({ meta }) => meta)
          .filter(({ name }) => String(name).includes(wanted ?? ""));
        const size = countOf(params, "pageSize", 100);
        const { items, ...rest } = pageOf(all, params, size);
        return { kind: "drive#fileList", files: items, ...rest };
      },
      delete(call: Asked) {
        fileOf(call);
        files.delete(text(call.params, "fileId"));
      },
    },
  };
}

function metaOf(
  id: string,
  given: Fields,
  bytes: Uint8Array | undefined,
): Fields {
  const sums =
    bytes === undefined
      ? {}
      : {
          size: String(bytes.length),
          md5Checksum: createHash("md5").update(bytes).digest("hex"),
        };
  return {
    name: "Untitled",
    mimeType: "application/octet-stream",
    createdTime: new Date().toISOString(),
    ...given,
    ...sums,
    kind: "drive#file",
    id,
  };
}
