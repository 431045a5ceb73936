import { createHash } from "node:crypto";
import { ApiError, content } from "../../../../src/runtime/server/index.js";
import { crc32c } from "../../../../src/mock/crc32c.js";
import {
  countOf,
  known,
  pageOf,
  text,
  type Asked,
  type Fields,
} from "./service.js";

/** Object with its metadata and bytes. */
interface Kept {
  readonly meta: Fields;
  readonly bytes: Uint8Array;
}

interface Bucket {
  readonly meta: Fields;
  readonly objects: Map<string, Kept>;
}

/** Buckets with objects, as far as storage clients need them. */
export function storageService(): object {
  const buckets = new Map<string, Bucket>();
  let generation = 1_700_000_000_000_000;
  const bucketOf = ({ params }: Asked, name = "bucket"): Bucket =>
    known(buckets, text(params, name), "Bucket");
  const objectOf = (call: Asked): Kept =>
    known(bucketOf(call).objects, text(call.params, "object"), "Object");
  const put = (
    { request }: Asked,
    bucket: Bucket,
    name: string,
    bytes: Uint8Array,
    given: Fields,
  ): Kept => {
    const own = String(bucket.meta["name"]);
    const path = `b/${encodeURIComponent(own)}/o/${encodeURIComponent(name)}`;
    const mediaLink = `${request.origin}/download/storage/v1/${path}?alt=media`;
    const meta = metaOf(own, name, bytes, ++generation, given);
    const kept = { bytes, meta: { ...meta, mediaLink } };
    bucket.objects.set(name, kept);
    return kept;
  };
  const copy = (call: Asked): Kept => {
    const { params, body } = call;
    const from = bucketOf(call, "sourceBucket").objects;
    const source = known(from, text(params, "sourceObject"), "Object");
    const { contentType, metadata } = source.meta;
    return put(
      call,
      bucketOf(call, "destinationBucket"),
      text(params, "destinationObject"),
      source.bytes,
      { contentType, metadata, ...body },
    );
  };
  return {
    buckets: {
      insert({ body }: Asked) {
        const name = text(body ?? {}, "name");
        if (name === "") throw new ApiError(400, "Required: name.");
        if (buckets.has(name))
          throw new ApiError(409, "You already own this bucket.");
        const meta = bucketMeta(name, body ?? {});
        buckets.set(name, { meta, objects: new Map() });
        return meta;
      },
      get: (call: Asked) => bucketOf(call).meta,
      list({ params }: Asked) {
        const all = [...buckets.values()].map(({ meta }) => meta);
        const size = countOf(params, "maxResults", 1000);
        return { kind: "storage#buckets", ...pageOf(all, params, size) };
      },
      delete(call: Asked) {
        if (bucketOf(call).objects.size > 0)
          throw new ApiError(
            409,
            "The bucket you tried to delete is not empty.",
          );
        buckets.delete(text(call.params, "bucket"));
      },
    },
    objects: {
      async insert(call: Asked) {
        const { params, body, media } = call;
        const bucket = bucketOf(call);
        const name = text(params, "name") || text(body ?? {}, "name");
        if (name === "") throw new ApiError(400, "Required: name.");
        checkGeneration(bucket.objects.get(name), params);
        const bytes = (await media?.bytes()) ?? new Uint8Array();
        const contentType = body?.["contentType"] ?? media?.contentType;
        const { meta } = put(call, bucket, name, bytes.slice(), {
          ...body,
          contentType,
        });
        checkHashes(meta, body ?? {}, () => bucket.objects.delete(name));
        return meta;
      },
      get(call: Asked) {
        const kept = objectOf(call);
        checkGeneration(kept, call.params);
        return call.wantsContent ? contentOf(kept) : kept.meta;
      },
      list(call: Asked) {
        return listObjects(bucketOf(call), call.params);
      },
      patch(call: Asked) {
        const { meta } = objectOf(call);
        checkGeneration({ meta }, call.params);
        const metageneration = String(Number(meta["metageneration"]) + 1);
        return Object.assign(meta, call.body, { metageneration });
      },
      copy: (call: Asked) => copy(call).meta,
      rewrite(call: Asked) {
        const { meta, bytes } = copy(call);
        const size = String(bytes.length);
        return {
          kind: "storage#rewriteResponse",
          done: true,
          objectSize: size,
          totalBytesRewritten: size,
          resource: meta,
        };
      },
      delete(call: Asked) {
        checkGeneration(objectOf(call), call.params);
        bucketOf(call).objects.delete(text(call.params, "object"));
      },
    },
  };
}

function bucketMeta(name: string, given: Fields): Fields {
  const now = new Date().toISOString();
  return {
    kind: "storage#bucket",
    location: "EU",
    storageClass: "STANDARD",
    ...given,
    id: name,
    name,
    metageneration: "1",
    timeCreated: now,
    updated: now,
  };
}

function metaOf(
  bucket: string,
  name: string,
  bytes: Uint8Array,
  generation: number,
  given: Fields,
): Fields {
  const now = new Date().toISOString();
  return {
    contentType: "application/octet-stream",
    ...given,
    kind: "storage#object",
    id: `${bucket}/${name}/${generation}`,
    name,
    bucket,
    generation: String(generation),
    metageneration: "1",
    size: String(bytes.length),
    md5Hash: createHash("md5").update(bytes).digest("base64"),
    crc32c: crc32c(bytes),
    timeCreated: now,
    updated: now,
    storageClass: "STANDARD",
  };
}

/** @throws ApiError 412 for another generation than requested */
function checkGeneration(
  kept: Pick<Kept, "meta"> | undefined,
  params: Readonly<Fields>,
): void {
  const wanted = params["ifGenerationMatch"];
  if (wanted === undefined || wanted === (kept?.meta["generation"] ?? "0"))
    return;
  throw new ApiError(
    412,
    "At least one of the pre-conditions you specified did not hold.",
  );
}

/** @throws ApiError 400 if the hash from the caller differs */
function checkHashes(meta: Fields, given: Fields, drop: () => unknown): void {
  for (const name of ["md5Hash", "crc32c"]) {
    if (given[name] === undefined || given[name] === meta[name]) continue;
    drop();
    throw new ApiError(400, `Provided ${name} does not match the content.`);
  }
}

function contentOf({ meta, bytes }: Kept): unknown {
  return content({
    body: bytes,
    contentType: String(meta["contentType"]),
    etag: `"${String(meta["md5Hash"])}"`,
    headers: {
      "x-goog-hash": `crc32c=${String(meta["crc32c"])},md5=${String(meta["md5Hash"])}`,
      "x-goog-generation": String(meta["generation"]),
      "x-goog-metageneration": String(meta["metageneration"]),
      "x-goog-stored-content-encoding": "identity",
      "x-goog-stored-content-length": String(bytes.length),
    },
  });
}

/** Lists names in order; those with the delimiter after the prefix become prefixes. */
function listObjects({ objects }: Bucket, params: Readonly<Fields>): Fields {
  const prefix = text(params, "prefix");
  const delimiter = text(params, "delimiter");
  const names = [...objects.keys()]
    .filter((name) => name.startsWith(prefix))
    .sort();
  const folders = new Set<string>();
  const own = names.filter((name) => {
    const at = delimiter === "" ? -1 : name.indexOf(delimiter, prefix.length);
    if (at !== -1) folders.add(name.slice(0, at + delimiter.length));
    return at === -1;
  });
  const size = countOf(params, "maxResults", 1000);
  const page = pageOf(
    own.map((name) => objects.get(name)!.meta),
    params,
    size,
  );
  return {
    kind: "storage#objects",
    ...page,
    ...(folders.size > 0 ? { prefixes: [...folders] } : {}),
  };
}
