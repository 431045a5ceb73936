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

/** Request received by the fake server. */
export interface Sent {
  url: string;
  /** Path and query of the URL. */
  target: string;
  init: RequestInit;
  headers: Record<string, string>;
}

/** Fake `fetch` that records requests and returns responses in order, then `{}`. */
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

/** Creates a method without the types of generated code. */
export type AnyMethod<C = Call<any>> = OptionalMethod<any, C>;

export function make<C = Call<any>>(
  descriptor: Partial<Descriptor> = {},
): AnyMethod<C> {
  return method({ id: "drive.files.list", path: "files", ...descriptor });
}

/** Creates a client that makes one attempt for each call. */
export function client(
  fetch: Fetch,
  options: ClientOptions = {},
  more: Partial<Service> = {},
): Client {
  return createBareClient({ ...service, ...more }, { fetch, ...options });
}

/** Creates a client with retries, interceptors and locations. */
export function fullClient(
  fetch: Fetch,
  options: ClientOptions = {},
  more: Partial<Service> = {},
): Client {
  return createClient({ ...service, ...more }, { fetch, ...options });
}

/** Returns the target of the only request of a call. */
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

/** Returns the rejection of a promise. @throws Error if it is fulfilled. */
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
