import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { mock, type Mock, type MockOptions } from "../../src/index.js";
import { crc32c } from "../../src/mock/crc32c.js";
import { valuesInProse } from "../../src/mock/states.js";
import { description } from "../support/generate.js";

const text = { type: "string" };
const inPath = { ...text, location: "path", required: true };
const inQuery = { ...text, location: "query" };

function method(
  id: string,
  httpMethod: string,
  path: string,
  more: object = {},
): object {
  const names = [...path.matchAll(/\{\+?(\w+)\}/g)].map(([, name]) => name!);
  const { parameters = {}, ...rest } = more as { parameters?: object };
  return {
    id: `lab.${id}`,
    httpMethod,
    path,
    parameters: {
      ...Object.fromEntries(names.map((name) => [name, inPath])),
      ...parameters,
    },
    ...rest,
  };
}

const ref = (name: string): object => ({ $ref: name });
const schema = (id: string, properties: object): object => ({
  [id]: { id, type: "object", properties },
});

/** Document with the conventions of BigQuery, Compute, Spanner and Storage. */
const LAB = description({
  name: "lab",
  servicePath: "lab/v1/",
  rootUrl: "https://lab.googleapis.com/",
  schemas: {
    ...schema("Dataset", {
      id: text,
      selfLink: text,
      datasetReference: ref("DatasetReference"),
      friendlyName: text,
      state: {
        ...text,
        description:
          "Output only. Valid states include PENDING, RUNNING and DONE.",
      },
      jobComplete: { type: "boolean" },
      errorResult: ref("DatasetReference"),
    }),
    ...schema("DatasetReference", { projectId: text, datasetId: text }),
    ...schema("DatasetList", {
      datasets: {
        type: "array",
        items: {
          type: "object",
          properties: {
            id: text,
            datasetReference: ref("DatasetReference"),
            friendlyName: text,
          },
        },
      },
      nextPageToken: text,
    }),
    ...schema("Instance", {
      name: text,
      displayName: text,
      size: { type: "integer", format: "int32" },
      labels: { type: "object", additionalProperties: text },
      createTime: { ...text, format: "google-datetime" },
    }),
    ...schema("CreateInstanceRequest", {
      instanceId: text,
      instance: ref("Instance"),
    }),
    ...schema("UpdateInstanceRequest", {
      fieldMask: { ...text, format: "google-fieldmask" },
      instance: ref("Instance"),
    }),
    ...schema("ListInstancesResponse", {
      instances: { type: "array", items: ref("Instance") },
      unreachable: { type: "array", items: text },
    }),
    ...schema("LongOperation", {
      name: text,
      done: { type: "boolean" },
      error: ref("DatasetReference"),
      metadata: { type: "object", additionalProperties: { type: "any" } },
      response: { type: "object", additionalProperties: { type: "any" } },
    }),
    ...schema("OperationMetadata", { target: text, verb: text }),
    ...schema("ZoneOperation", {
      name: text,
      status: {
        ...text,
        enum: ["PENDING", "RUNNING", "DONE"],
        enumDescriptions: ["", "", ""],
      },
      progress: { type: "integer", format: "int32" },
      selfLink: text,
      targetLink: text,
      zone: { ...text, description: "The URL of the zone." },
      region: { ...text, description: "The URL of the region." },
      error: ref("DatasetReference"),
    }),
    ...schema("Disk", { name: text, selfLink: text, description: text }),
    ...schema("Object", {
      name: text,
      bucket: text,
      selfLink: text,
      mediaLink: text,
      size: { ...text, format: "uint64" },
      md5Hash: text,
      crc32c: text,
      sha1Checksum: text,
      sha256Checksum: text,
      contentType: text,
      generation: { ...text, format: "int64" },
      metageneration: { ...text, format: "int64" },
      etag: text,
      customerEncryption: ref("DatasetReference"),
    }),
    ...schema("Objects", {
      items: { type: "array", items: ref("Object") },
      prefixes: { type: "array", items: text },
    }),
  },
  resources: {
    datasets: {
      methods: {
        insert: method(
          "datasets.insert",
          "POST",
          "projects/{projectId}/datasets",
          {
            request: ref("Dataset"),
            response: ref("Dataset"),
          },
        ),
        get: method(
          "datasets.get",
          "GET",
          "projects/{projectId}/datasets/{datasetId}",
          {
            response: ref("Dataset"),
          },
        ),
        list: method("datasets.list", "GET", "projects/{projectId}/datasets", {
          response: ref("DatasetList"),
          parameters: {
            pageToken: inQuery,
            maxResults: { ...inQuery, type: "integer" },
          },
        }),
      },
    },
    instances: {
      methods: {
        create: method("instances.create", "POST", "v1/{+parent}/instances", {
          parameters: { parent: { ...inPath, pattern: "^projects/[^/]+$" } },
          request: ref("CreateInstanceRequest"),
          response: ref("LongOperation"),
        }),
        get: method("instances.get", "GET", "v1/{+name}", {
          parameters: {
            name: { ...inPath, pattern: "^projects/[^/]+/instances/[^/]+$" },
          },
          response: ref("Instance"),
        }),
        patch: method("instances.patch", "PATCH", "v1/{+name}", {
          parameters: {
            name: { ...inPath, pattern: "^projects/[^/]+/instances/[^/]+$" },
          },
          request: ref("UpdateInstanceRequest"),
          response: ref("LongOperation"),
        }),
        delete: method("instances.delete", "DELETE", "v1/{+name}", {
          parameters: {
            name: { ...inPath, pattern: "^projects/[^/]+/instances/[^/]+$" },
          },
          response: ref("LongOperation"),
        }),
        list: method("instances.list", "GET", "v1/{+parent}/instances", {
          parameters: {
            parent: { ...inPath, pattern: "^projects/[^/]+$" },
            filter: inQuery,
            orderBy: inQuery,
          },
          response: ref("ListInstancesResponse"),
        }),
      },
    },
    operations: {
      methods: {
        get: method("operations.get", "GET", "v1/{+name}", {
          parameters: {
            name: { ...inPath, pattern: "^projects/[^/]+/operations/[^/]+$" },
          },
          response: ref("LongOperation"),
        }),
      },
    },
    disks: {
      methods: {
        insert: method(
          "disks.insert",
          "POST",
          "projects/{project}/zones/{zone}/disks",
          {
            request: ref("Disk"),
            response: ref("ZoneOperation"),
          },
        ),
        get: method(
          "disks.get",
          "GET",
          "projects/{project}/zones/{zone}/disks/{disk}",
          {
            response: ref("Disk"),
          },
        ),
      },
    },
    zoneOperations: {
      methods: {
        get: method(
          "zoneOperations.get",
          "GET",
          "projects/{project}/zones/{zone}/operations/{operation}",
          {
            response: ref("ZoneOperation"),
          },
        ),
      },
    },
    globalOperations: {
      methods: {
        get: method(
          "globalOperations.get",
          "GET",
          "projects/{project}/global/operations/{operation}",
          {
            response: ref("ZoneOperation"),
          },
        ),
      },
    },
    objects: {
      methods: {
        insert: method("objects.insert", "POST", "b/{bucket}/o", {
          parameters: { name: inQuery, ifGenerationMatch: inQuery },
          request: ref("Object"),
          response: ref("Object"),
          supportsMediaUpload: true,
          mediaUpload: {
            accept: ["*/*"],
            protocols: {
              simple: { multipart: true, path: "/upload/lab/v1/b/{bucket}/o" },
            },
          },
        }),
        get: method("objects.get", "GET", "b/{bucket}/o/{object}", {
          parameters: { ifGenerationNotMatch: inQuery },
          response: ref("Object"),
          supportsMediaDownload: true,
        }),
        patch: method("objects.patch", "PATCH", "b/{bucket}/o/{object}", {
          parameters: { ifMetagenerationMatch: inQuery },
          request: ref("Object"),
          response: ref("Object"),
        }),
        delete: method("objects.delete", "DELETE", "b/{bucket}/o/{object}", {
          parameters: { ifGenerationMatch: inQuery },
        }),
        list: method("objects.list", "GET", "b/{bucket}/o", {
          parameters: { prefix: inQuery, delimiter: inQuery },
          response: ref("Objects"),
        }),
      },
    },
  },
});

const HOST = "http://lab.test";

type Call = (
  verb: string,
  target: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<{ status: number; body: any; headers: Headers }>;

async function lab(
  options: MockOptions = { empty: true },
): Promise<{ fake: Mock; call: Call }> {
  return callsOf(await mock(LAB, { validateResponses: true, ...options }));
}

function callsOf(fake: Mock): { fake: Mock; call: Call } {
  const call: Call = async (verb, target, body, headers = {}) => {
    const response = await fake.fetch(`${HOST}/${target}`, {
      method: verb,
      headers: {
        ...(typeof body === "object"
          ? { "content-type": "application/json" }
          : {}),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const read = await response.text();
    return {
      status: response.status,
      body: read.startsWith("{") ? JSON.parse(read) : read,
      headers: response.headers,
    };
  };
  return { fake, call };
}

const DATASETS = "lab/v1/projects/p/datasets";
const INSTANCES = "lab/v1/v1/projects/p/instances";
const OBJECTS = "lab/v1/b/bu/o";

describe("operations", () => {
  test("can be fetched by their names, and contain the resource", async () => {
    const { call } = await lab();
    const { body } = await call("POST", INSTANCES, {
      instanceId: "i1",
      instance: { displayName: "One" },
    });
    expect(body.name).toMatch(/^projects\/p\/operations\/operation-\w+$/);
    expect(body).toMatchObject({
      done: true,
      response: { name: "projects/p/instances/i1", displayName: "One" },
      metadata: { target: "projects/p/instances/i1" },
    });
    expect(body.response["@type"]).toBe(
      "type.googleapis.com/google.cloud.lab.v1.Instance",
    );
    expect(body.metadata["@type"]).toMatch(/OperationMetadata$/);
    expect(body).not.toHaveProperty("error");
    expect((await call("GET", `lab/v1/v1/${body.name}`)).body).toEqual(body);
    const unknown = "lab/v1/v1/projects/p/operations/other";
    expect((await call("GET", unknown)).status).toBe(404);
    const removed = await call("DELETE", `${INSTANCES}/i1`);
    expect(removed.body.response).toEqual({
      "@type": "type.googleapis.com/google.protobuf.Empty",
    });
  });

  test("have the zone of the path, links and a final status", async () => {
    const { call } = await lab();
    const zone = "lab/v1/projects/p/zones/z";
    const { body } = await call("POST", `${zone}/disks`, { name: "d/1" });
    expect(body).toMatchObject({
      status: "DONE",
      progress: 100,
      zone: `${HOST}/${zone}`,
      selfLink: `${HOST}/${zone}/operations/${body.name}`,
      targetLink: `${HOST}/${zone}/disks/d%2F1`,
    });
    expect(body).not.toHaveProperty("region");
    expect(body).not.toHaveProperty("error");
    const found = await call("GET", `${zone}/operations/${body.name}`);
    expect(found.body).toEqual(body);
    const disk = await call("GET", body.targetLink.slice(HOST.length + 1));
    expect(disk.body).toMatchObject({ name: "d/1", selfLink: body.targetLink });
  });
});

describe("lists", () => {
  test("with elements of another schema contain what was created", async () => {
    const { call } = await lab();
    expect((await call("GET", DATASETS)).body).toEqual({ datasets: [] });
    const made = await call("POST", DATASETS, {
      datasetReference: { datasetId: "d1" },
      friendlyName: "One",
    });
    const datasetReference = { projectId: "p", datasetId: "d1" };
    expect(made.body).toMatchObject({
      datasetReference,
      selfLink: `${HOST}/${DATASETS}/d1`,
    });
    const { datasets } = (await call("GET", DATASETS)).body;
    expect(datasets).toEqual([
      expect.objectContaining({ datasetReference, friendlyName: "One" }),
    ]);
    expect(datasets[0]).not.toHaveProperty("selfLink");
  });

  test("are filtered and sorted", async () => {
    const { call } = await lab();
    for (const [instanceId, size, env] of [
      ["a", 3, "prod"],
      ["b", 1, "test"],
      ["c", 2, "prod"],
    ])
      await call("POST", INSTANCES, {
        instanceId,
        instance: { size, labels: { env }, displayName: `D ${instanceId}` },
      });
    const ids = async (query: string) => {
      const { status, body } = await call("GET", `${INSTANCES}?${query}`);
      return status === 200
        ? body.instances.map(({ name }: any) => name.split("/").at(-1)).join("")
        : status;
    };
    const filter = (expression: string) =>
      ids(`filter=${encodeURIComponent(expression)}`);
    expect(await filter('labels.env = "prod"')).toBe("ac");
    expect(await filter("labels.env=prod AND size > 2")).toBe("a");
    expect(await filter('(displayName = "D b")')).toBe("b");
    expect(await filter("size != 1")).toBe("ac");
    expect(await filter("labels:env")).toBe("abc");
    expect(await filter("a complicated (query)")).toBe("abc");
    expect(await ids("orderBy=size")).toBe("bca");
    expect(await ids("orderBy=labels.env,size+desc")).toBe("acb");
    expect(await ids("orderBy=size;drop")).toBe(400);
  });

  test("of objects have prefixes", async () => {
    const { call } = await lab();
    for (const name of ["a/1", "a/2", "b"])
      await call("POST", OBJECTS, { name });
    const list = async (query: string) => {
      const { body } = await call("GET", `${OBJECTS}?${query}`);
      const names = body.items.map(({ name }: any) => name);
      return [names, body.prefixes];
    };
    expect(await list("prefix=a/")).toEqual([["a/1", "a/2"], undefined]);
    expect(await list("delimiter=/")).toEqual([["b"], ["a/"]]);
    expect(await list("prefix=a/&delimiter=/")).toEqual([["a/1", "a/2"], []]);
  });
});

describe("changes", () => {
  test("in a wrapped body follow the mask", async () => {
    const { call } = await lab();
    const instance = {
      displayName: "One",
      size: 1,
      labels: { a: "1", b: "2" },
    };
    await call("POST", INSTANCES, { instanceId: "i", instance });
    const patch = (body: object) => call("PATCH", `${INSTANCES}/i`, body);
    const get = async () => (await call("GET", `${INSTANCES}/i`)).body;
    await patch({
      fieldMask: "displayName",
      instance: { displayName: "Two", size: 9 },
    });
    expect(await get()).toMatchObject({ displayName: "Two", size: 1 });
    await patch({
      fieldMask: "labels.a,display_name",
      instance: { labels: { a: "3" } },
    });
    expect(await get()).toMatchObject({ labels: { a: "3", b: "2" } });
    expect(await get()).not.toHaveProperty("displayName");
    await patch({ fieldMask: "labels", instance: { labels: { c: "4" } } });
    expect((await get()).labels).toEqual({ c: "4" });
    await patch({ instance: { labels: { d: "5" } } });
    expect((await get()).labels).toEqual({ c: "4", d: "5" });
  });
});

test("members that are null count as absent", async () => {
  const { call } = await lab();
  const made = await call("POST", INSTANCES, {
    instanceId: "i",
    instance: { size: null, labels: null, displayName: "One" },
  });
  expect(made.status).toBe(200);
  const { body } = await call("GET", `${INSTANCES}/i`);
  expect(body).toMatchObject({ displayName: "One" });
  expect(body).not.toHaveProperty("labels");
  const wrong = { instanceId: "j", instance: { size: "x", labels: null } };
  expect((await call("POST", INSTANCES, wrong)).status).toBe(400);
});

describe("preconditions", () => {
  test("of headers result in 412 and 304", async () => {
    const { call } = await lab();
    const made = await call("POST", OBJECTS, { name: "o" });
    const at = `${OBJECTS}/o`;
    const { etag } = made.body;
    const read = await call("GET", at);
    expect(read.headers.get("etag")).toBe(etag);
    const again = await call("GET", at, undefined, { "if-none-match": etag });
    expect(again.status).toBe(304);
    const change = (headers: Record<string, string>) =>
      call("PATCH", at, { contentType: "a/b" }, headers);
    expect((await change({ "if-match": '"other"' })).status).toBe(412);
    expect((await change({ "if-match": etag })).status).toBe(200);
    expect((await change({ "if-match": etag })).status).toBe(412);
    expect((await change({ "if-none-match": "*" })).status).toBe(412);
  });

  test("of generations result in 412 and 304", async () => {
    const { call } = await lab();
    const insert = `${OBJECTS}?name=o&ifGenerationMatch=`;
    const first = await call("POST", `${insert}0`, {});
    expect(first).toMatchObject({ status: 200, body: { metageneration: "1" } });
    expect((await call("POST", `${insert}0`, {})).status).toBe(412);
    const { generation } = first.body;
    const at = `${OBJECTS}/o`;
    expect(
      (await call("GET", `${at}?ifGenerationNotMatch=${generation}`)).status,
    ).toBe(304);
    expect((await call("GET", `${at}?ifGenerationNotMatch=1`)).status).toBe(
      200,
    );
    const patched = await call("PATCH", `${at}?ifMetagenerationMatch=1`, {});
    expect(patched.body).toMatchObject({ generation, metageneration: "2" });
    expect(
      (await call("PATCH", `${at}?ifMetagenerationMatch=1`, {})).status,
    ).toBe(412);
    expect((await call("DELETE", `${at}?ifGenerationMatch=1`)).status).toBe(
      412,
    );
    const removed = `${at}?ifGenerationMatch=${generation}`;
    expect((await call("DELETE", removed)).status).toBe(204);
  });
});

describe("objects", () => {
  test("agree with their content, and link to it", async () => {
    const { call } = await lab({});
    const { body } = await call("GET", `${OBJECTS}/a%20b`);
    expect(body.selfLink).toBe(`${HOST}/${OBJECTS}/a%20b`);
    const media = await call("GET", body.mediaLink.slice(HOST.length + 1));
    expect(body.size).toBe(String(media.body.length));
    expect(body.md5Hash).toBe(
      createHash("md5").update(media.body).digest("base64"),
    );
    expect(body.sha1Checksum).toBe(
      createHash("sha1").update(media.body).digest("hex"),
    );
    expect(body.sha256Checksum).toBe(
      createHash("sha256").update(media.body).digest("hex"),
    );
    expect(body).not.toHaveProperty("customerEncryption");
    const { fake } = await lab({});
    const listed = await (await fake.fetch(`${HOST}/${OBJECTS}`)).text();
    expect(listed).not.toContain("googleapis.com");
  });
});

// Known values: RFC 3720 B.4 (32 bytes of zeros), and the check value of CRC-32C.
test.each([
  [new Uint8Array(32), "ipE2qg=="],
  [Buffer.from("123456789"), "4waSgw=="],
  [new Uint8Array(), "AAAAAA=="],
])("the CRC32C of %j is %s", (bytes, checksum) => {
  expect(crc32c(bytes)).toBe(checksum);
});

describe("states", () => {
  test("are the last of those in the description, without errors", async () => {
    const { call } = await lab({});
    const { body } = await call("GET", `${DATASETS}/d`);
    expect(body).toMatchObject({ state: "DONE", jobComplete: true });
    expect(body).not.toHaveProperty("errorResult");
  });

  test.each([
    [
      "Valid states include PENDING, RUNNING, and DONE.",
      ["PENDING", "RUNNING", "DONE"],
    ],
    ["The status. One of the following: `UP`, DOWN_NOW. See the API.", []],
    ["Possible values are: ON_DEMAND, SPOT. A URL.", ["ON_DEMAND", "SPOT"]],
    ["The URL of the API.", []],
    [undefined, []],
  ])("%j lists %j", (prose, values) => {
    expect(valuesInProse(prose)).toEqual(values);
  });
});

const PARENT = "^projects/[^/]+/locations/[^/]+$";
const CLUSTER = "^projects/[^/]+/locations/[^/]+/clusters/[^/]+$";

/** Document with the conventions of GKE and Pub/Sub. */
const FARM = description({
  name: "farm",
  servicePath: "",
  rootUrl: "https://farm.googleapis.com/",
  schemas: {
    ...schema("Cluster", {
      name: {
        ...text,
        description: "The name of this cluster, unique within the location.",
      },
      location: text,
    }),
    ...schema("CreateClusterRequest", { cluster: ref("Cluster") }),
    ...schema("ListClustersResponse", {
      clusters: { type: "array", items: ref("Cluster") },
    }),
    ...schema("Operation", {
      name: text,
      status: { ...text, enum: ["PENDING", "DONE"] },
      statusMessage: {
        ...text,
        description: "If an error has occurred, its description. Deprecated.",
      },
      conditions: {
        type: "array",
        items: text,
        description: "Deprecated. Use the field error instead.",
      },
      detail: { ...text, description: "Details, also about errors." },
      selfLink: text,
    }),
    ...schema("PublishRequest", {
      messages: { type: "array", items: { type: "any" } },
    }),
    ...schema("PublishResponse", {
      messageIds: { type: "array", items: text },
      tags: { type: "array", items: text },
    }),
    ...schema("UpdateRequest", {
      requests: { type: "array", items: { type: "any" } },
    }),
    ...schema("UpdateResponse", {
      replies: { type: "array", items: ref("Cluster") },
      notes: { type: "array", items: text },
    }),
    ...schema("Rows", {
      rows: { type: "array", items: ref("Cluster") },
      pageToken: text,
    }),
    ...schema("GetResponse", {
      found: { type: "array", items: ref("Cluster") },
    }),
  },
  resources: {
    clusters: {
      methods: {
        create: method("clusters.create", "POST", "v1/{+parent}/clusters", {
          parameters: { parent: { ...inPath, pattern: PARENT } },
          request: ref("CreateClusterRequest"),
          response: ref("Operation"),
        }),
        list: method("clusters.list", "GET", "v1/{+parent}/clusters", {
          parameters: { parent: { ...inPath, pattern: PARENT } },
          response: ref("ListClustersResponse"),
        }),
        get: method("clusters.get", "GET", "v1/{+name}", {
          parameters: { name: { ...inPath, pattern: CLUSTER } },
          response: ref("Cluster"),
        }),
        patch: method("clusters.patch", "PATCH", "v1/{+name}", {
          parameters: { name: { ...inPath, pattern: CLUSTER } },
          request: ref("Cluster"),
          response: ref("Cluster"),
        }),
        publish: method("clusters.publish", "POST", "v1/{+parent}:publish", {
          parameters: { parent: { ...inPath, pattern: PARENT } },
          request: ref("PublishRequest"),
          response: ref("PublishResponse"),
        }),
        update: method("clusters.update", "POST", "v1/{+parent}:update", {
          parameters: { parent: { ...inPath, pattern: PARENT } },
          request: ref("UpdateRequest"),
          response: ref("UpdateResponse"),
        }),
        rows: method("clusters.rows", "GET", "v1/{+parent}/rows", {
          parameters: {
            parent: { ...inPath, pattern: PARENT },
            pageToken: inQuery,
          },
          response: ref("Rows"),
        }),
        batchGet: method("clusters.batchGet", "POST", "v1/{+parent}:batch", {
          parameters: { parent: { ...inPath, pattern: PARENT } },
          request: ref("UpdateRequest"),
          response: ref("GetResponse"),
        }),
      },
    },
  },
});

describe("GKE and Pub/Sub", () => {
  const one = "v1/projects/p/locations/one";

  async function farm(
    options: MockOptions = {},
  ): Promise<Awaited<ReturnType<typeof lab>>> {
    return callsOf(
      await mock(FARM, { empty: true, validateResponses: true, ...options }),
    );
  }

  test("names without parents remain as the caller chose them", async () => {
    const { call } = await farm();
    await call("POST", `${one}/clusters`, { cluster: { name: "c1" } });
    const target = `${one}/clusters/c1`;
    expect((await call("GET", target)).body.name).toBe("c1");
    await call("PATCH", target, { location: "one" });
    expect((await call("GET", target)).body).toEqual({
      name: "c1",
      location: "one",
    });
  });

  test("a hyphen lists the resources of all parents", async () => {
    const { call } = await farm();
    for (const location of ["one", "two"])
      await call("POST", `v1/projects/p/locations/${location}/clusters`, {
        cluster: { name: `in-${location}` },
      });
    await call("POST", "v1/projects/other/locations/one/clusters", {
      cluster: { name: "hidden" },
    });
    const list = async (parent: string): Promise<string[]> => {
      const { body } = await call("GET", `v1/${parent}/clusters`);
      return body.clusters.map(({ name }: { name: string }) => name);
    };
    expect(await list("projects/p/locations/-")).toEqual(["in-one", "in-two"]);
    expect(await list("projects/p/locations/two")).toEqual(["in-two"]);
    expect(await list("projects/-/locations/-")).toHaveLength(3);
  });

  test("a complete list has no page token", async () => {
    const { call } = await farm({ empty: false });
    const { body } = await call("GET", `${one}/rows`);
    expect(Object.keys(body)).toEqual(["rows"]);
  });

  test("completed operations have no members about errors", async () => {
    const { call } = await farm();
    const { body } = await call("POST", `${one}/clusters`, {
      cluster: { name: "c1" },
    });
    expect(Object.keys(body).sort()).toEqual([
      "detail",
      "name",
      "selfLink",
      "status",
    ]);
  });

  test.each([false, true])(
    "responses have an element for each request (empty: %s)",
    async (empty) => {
      const { call } = await farm({ empty });
      for (const count of [0, 1, 5]) {
        const elements = Array.from({ length: count }, () => ({
          data: "YQ==",
        }));
        const published = await call("POST", `${one}:publish`, {
          messages: elements,
        });
        const { messageIds } = published.body;
        expect(new Set(messageIds).size).toBe(count);
        const updated = await call("POST", `${one}:update`, {
          requests: elements,
        });
        expect(updated.body.replies).toHaveLength(count);
        expect(updated.body.notes).toHaveLength(3);
        const found = await call("POST", `${one}:batch`, {
          requests: elements,
        });
        expect(found.body.found).toHaveLength(count);
      }
    },
  );
});
