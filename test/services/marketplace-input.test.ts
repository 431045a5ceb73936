import { request as send } from "node:http";
import { expect, test } from "vitest";
import type { Store } from "../../src/services/store/store.js";
import { marketplace } from "./support.js";

interface Sent {
  readonly target: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Sends raw bytes, as no browser would. */
function raw(
  origin: string,
  { target, method = "GET", headers = {}, body }: Sent,
): Promise<{ status: number; text: string; headers: object }> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const call = send(
      { hostname, port, path: target, method, headers, agent: false },
      (answer) => {
        let text = "";
        answer.on("data", (chunk: Buffer) => (text += chunk.toString()));
        answer.on("end", () =>
          resolve({
            status: answer.statusCode ?? 0,
            text,
            headers: answer.headers,
          }),
        );
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}

/** Returns the entire content of the store. */
async function stateOf(store: Store): Promise<unknown> {
  const tables = [
    "owners",
    "keys",
    "keys-of",
    "items",
    "versions",
    "purchases",
  ];
  return Promise.all(tables.map((name) => store.list(`marketplace.${name}`)));
}

const SECRET = "s3cret-k3y";
const VALIDATION = "/api/purchases/validation";
const JSON_BODY = { "content-type": "application/json" };
const FORM_BODY = { "content-type": "application/x-www-form-urlencoded" };
const post = (
  body: string | Buffer,
  headers: Sent["headers"] = JSON_BODY,
): Sent => ({
  target: VALIDATION,
  method: "POST",
  headers: headers!,
  body,
});

const endpoints: readonly Sent[] = [
  { target: "/api/account/details" },
  { target: "/api/items/all" },
  { target: "/api/items/item?item_id=1" },
  { target: `${VALIDATION}?purchase_code=code-1`, method: "POST" },
];

/** Adds to the query of a call. */
function withQuery({ target, ...rest }: Sent, query: string): Sent {
  return {
    ...rest,
    target: `${target}${target.includes("?") ? "&" : "?"}${query}`,
  };
}

const unknownKey = { "/api/account/details": 401 } as Record<string, number>;

/** Requests, and their status according to the description. */
const cases: readonly (readonly [name: string, sent: Sent, status: number])[] =
  [
    ...endpoints.flatMap((one) => {
      const [path = ""] = one.target.split("?");
      const unknown = unknownKey[path] ?? 404;
      return (
        [
          ["no key", one, 400],
          ["an empty key", withQuery(one, "api_key="), 400],
          [
            "a key twice",
            withQuery(one, `api_key=test-key&api_key=${SECRET}`),
            400,
          ],
          ["half an escape", withQuery(one, "api_key=%zz"), 400],
          ["bytes that are not UTF-8", withQuery(one, "api_key=%ff%fe"), 400],
          ["a key with NUL", withQuery(one, `api_key=${SECRET}%00`), unknown],
          ["half a surrogate pair", withQuery(one, "api_key=%ed%a0%80"), 400],
          ["SQL", withQuery(one, "api_key=test-key'%20OR%20'1'='1"), unknown],
          [
            "lines of a header",
            withQuery(one, "api_key=x%0d%0aset-cookie:%20a=b"),
            unknown,
          ],
          [
            "a key of 8 KB",
            withQuery(one, `api_key=${"k".repeat(8000)}`),
            unknown,
          ],
          [
            "a key of 20 KB",
            withQuery(one, `api_key=${"k".repeat(20_000)}`),
            431,
          ],
          ["a list of keys", withQuery(one, "api_key[]=test-key"), 400],
          ["a prototype", withQuery(one, "__proto__[api_key]=test-key"), 400],
          ["a verb that it has not", { ...one, method: "DELETE" }, 405],
          [
            "a path that goes up",
            { ...one, target: path.replace("/api/", "/api/items/../") },
            404,
          ],
          [
            "an encoded slash",
            { ...one, target: path.replace(/\/(\w+)$/, "%2f$1") },
            404,
          ],
          [
            "an encoded way up",
            { ...one, target: `${path}/%2e%2e/all?api_key=test-key` },
            404,
          ],
          ["more path", { ...one, target: `${path}/1?api_key=test-key` }, 404],
          ["capitals", { ...one, target: path.toUpperCase() }, 404],
        ] as const
      ).map(
        ([name, sent, status]) => [`${path}: ${name}`, sent, status] as const,
      );
    }),
    ...[
      "",
      "abc",
      "1.5",
      "1e1",
      "0x1",
      "1%00",
      " 1 ",
      "[]",
      "null",
      "1;drop",
    ].map(
      (id) =>
        [
          `item_id ${JSON.stringify(id)}`,
          {
            target: `/api/items/item?api_key=test-key&item_id=${encodeURIComponent(id)}`,
          },
          400,
        ] as const,
    ),
    [
      "item_id twice",
      { target: "/api/items/item?api_key=test-key&item_id=1&item_id=2" },
      400,
    ],
    ["no item_id", { target: "/api/items/item?api_key=test-key" }, 400],
    [
      "GET of a validation",
      { target: `${VALIDATION}?api_key=test-key&purchase_code=code-1` },
      405,
    ],
    [
      "a body on a GET",
      {
        target: "/api/items/all",
        headers: FORM_BODY,
        body: "api_key=test-key",
      },
      400,
    ],
    ["broken JSON", post(`{"api_key":"${SECRET}"`), 400],
    ["JSON that is a list", post(`["${SECRET}"]`), 400],
    ["JSON that is null", post("null"), 400],
    ["JSON without members", post("{}"), 400],
    [
      "null for a member",
      post('{"api_key":"test-key","purchase_code":null}'),
      400,
    ],
    [
      "a list for a member",
      post('{"api_key":["test-key","b"],"purchase_code":"code-1"}'),
      400,
    ],
    [
      "an object for a member",
      post('{"api_key":"test-key","purchase_code":{"$ne":""}}'),
      400,
    ],
    [
      "a member of another type",
      post('{"api_key":"test-key","purchase_code":true}'),
      404,
    ],
    ["deep JSON", post(`${"[".repeat(5000)}${"]".repeat(5000)}`), 400],
    ["a body of 1 MB", post(`{"api_key":"${"x".repeat(1_000_000)}"}`), 413],
    [
      "an empty purchase code",
      post('{"api_key":"test-key","purchase_code":""}'),
      400,
    ],
    [
      "half a surrogate pair in JSON",
      post('{"api_key":"test-key","purchase_code":"\\ud800"}'),
      404,
    ],
    [
      "a code with NUL",
      post('{"api_key":"test-key","purchase_code":"code-1\\u0000"}'),
      404,
    ],
    [
      "bytes that are no UTF-8",
      post(
        Buffer.from([
          ...Buffer.from('{"api_key":"'),
          0xff,
          ...Buffer.from('","purchase_code":"code-1"}'),
        ]),
      ),
      400,
    ],
    [
      "a form with half an escape",
      post("api_key=%zz&purchase_code=code-1", FORM_BODY),
      400,
    ],
    [
      "a form with a code twice",
      post("api_key=test-key&purchase_code=a&purchase_code=b", FORM_BODY),
      400,
    ],
    [
      "a body of another type",
      post("<a/>", { "content-type": "application/xml" }),
      400,
    ],
  ];

/** Response of the host to a path of no service. */
const NOBODYS = { error: { code: 404, message: "No service has this path." } };

test.each(cases)("%s", async (_, sent, status) => {
  // A rate limit delays responses by a tick, in which Node refuses data after a GET.
  const { origin, store, log } = await marketplace({ requestsPerMinute: 0 });
  const before = await stateOf(store);
  const answer = await raw(origin, sent);
  expect({
    status: answer.status,
    text: answer.text.slice(0, 300),
  }).toMatchObject({ status });
  if (status !== 431) {
    const error = { status: "error", msg: expect.stringMatching(/\S/) };
    const isOurs = /^\/api\/(account|items|purchases)\//.test(sent.target);
    expect(JSON.parse(answer.text)).toMatchObject(isOurs ? error : NOBODYS);
    expect(answer.text).not.toMatch(/ at |Error:|node_modules|\/src\//);
    expect(answer.headers).not.toHaveProperty("set-cookie");
  }
  expect(await stateOf(store)).toEqual(before);
  const told = JSON.stringify(log);
  for (const secret of ["test-key", SECRET, "code-1", "api_key"])
    expect(told).not.toContain(secret);
});

test("does not log keys or purchase codes of successful requests", async () => {
  const { origin, log } = await marketplace();
  for (const one of endpoints) {
    const { status } = await raw(origin, withQuery(one, "api_key=test-key"));
    expect(status).toBe(200);
  }
  expect(log).toHaveLength(4);
  expect(log[3]).toMatchObject({
    service: "marketplace",
    event: "request",
    method: "marketplace.purchases.validation",
    status: 200,
    ms: expect.any(Number),
    requestId: expect.stringMatching(/^[\w-]{36}$/),
  });
  expect(JSON.stringify(log)).not.toMatch(/test-key|code-1|api_key/);
});

test("does not store keys", async () => {
  const { store, admin } = await marketplace();
  const { key } = (await admin("key create", { owner: "demo" })) as {
    key: string;
  };
  const state = JSON.stringify(await stateOf(store));
  expect(state).not.toContain(key);
  expect(state).not.toContain("test-key");
});
