import {
  createBareClient,
  createClient,
  method,
  type Call,
  type Client,
  type ClientOptions,
  type Descriptor,
  type Fetch,
  type OptionalMethod,
  type Service,
} from "../../../src/runtime/client/index.js";

export const service: Service = {
  rootUrl: "https://api.example.com/",
  servicePath: "drive/v3/",
};

/** What reached the fake server. */
export interface Sent {
  url: string;
  /** URL from the path on. */
  target: string;
  init: RequestInit;
  headers: Record<string, string>;
}

/** A fake `fetch`: keeps the requests, answers them in turn (`{}` at the end). */
export function recorder(...answers: (Response | (() => unknown))[]): {
  sent: Sent[];
  fetch: Fetch;
} {
  const sent: Sent[] = [];
  const fetch: Fetch = async (url, init) => {
    const headers = Object.fromEntries(new Headers(init.headers ?? {}));
    const { origin } = new URL(url);
    sent.push({ url, target: url.slice(origin.length), init, headers });
    const next = answers.shift() ?? json({});
    return (typeof next == "function" ? await next() : next) as Response;
  };
  return { sent, fetch };
}

export function json(value: unknown, init: ResponseInit = {}): Response {
  return new Response(JSON.stringify(value), {
    ...init,
    headers: {
      "content-type": "application/json",
      ...(init.headers as Record<string, string>),
    },
  });
}

/** Any method, without the types that generated code gives it. */
export type AnyMethod<C = Call<any>> = OptionalMethod<object, C>;

export function make<C = Call<any>>(
  descriptor: Partial<Descriptor> = {},
): AnyMethod<C> {
  return method({ id: "drive.files.list", path: "files", ...descriptor });
}

/** A client that makes one attempt for each call. */
export function client(
  fetch: Fetch,
  options: ClientOptions = {},
  more: Partial<Service> = {},
): Client {
  return createBareClient({ ...service, ...more }, { fetch, ...options });
}

/** A client with retries, interceptors and locations. */
export function fullClient(
  fetch: Fetch,
  options: ClientOptions = {},
  more: Partial<Service> = {},
): Client {
  return createClient({ ...service, ...more }, { fetch, ...options });
}

/** The target of the one request that a call makes. */
export async function targetOf(
  descriptor: Partial<Descriptor>,
  parameters: object,
  options: ClientOptions = {},
  more: Partial<Service> = {},
): Promise<string | undefined> {
  const { sent, fetch } = recorder();
  await make(descriptor)(client(fetch, options, more), parameters);
  return sent[0]?.target;
}

/** What a promise is rejected with; an error if it is not. */
export async function failure(promise: PromiseLike<unknown>): Promise<any> {
  return promise.then(
    () => {
      throw new Error("expected a rejection");
    },
    (error: unknown) => error,
  );
}

export function later<T>(milliseconds: number, value?: T): Promise<T> {
  return new Promise((resolve) =>
    setTimeout(() => resolve(value as T), milliseconds),
  );
}
