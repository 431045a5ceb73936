// Stand-in for the script https://apis.google.com/js/api.js and for that of Google
// Identity Services: sends the requests that gapi.client sends. Its documents are
// files of the folder SPECS.
import { readFileSync } from "node:fs";

let apiKey;
let token = null;

/** Requests start when somebody waits for them, as those of gapi do. */
class GapiRequest {
  #result;
  constructor(parts) {
    this.parts = parts;
  }
  #send() {
    return (this.#result ??= send(this.parts));
  }
  then(onResult, onError) {
    return this.#send().then(onResult, onError);
  }
  execute(callback) {
    this.#send().then(
      ({ result }) => callback({ ...result, result }),
      ({ result }) => callback({ ...result, result }),
    );
  }
}

function headersOf(body) {
  return {
    ...(token === null
      ? {}
      : { authorization: `Bearer ${token.access_token}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
}

function withKey(url) {
  if (apiKey !== undefined) url.searchParams.set("key", apiKey);
  return url;
}

async function send({ method, url, body }) {
  const response = await fetch(withKey(new URL(url)).href, {
    method,
    headers: headersOf(body),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return resultOf(response.status, await response.text(), response.headers);
}

function resultOf(status, body, headers = new Headers()) {
  let result = false;
  try {
    result = JSON.parse(body);
  } catch {}
  const value = {
    result,
    body,
    status,
    statusText: "",
    headers: Object.fromEntries(headers),
  };
  if (status >= 400) throw value;
  return value;
}

/** Requests of one API in one request. */
class Batch {
  #requests = new Map();
  add(request, { id = String(this.#requests.size) } = {}) {
    this.#requests.set(id, request.parts);
  }
  async #send() {
    const list = [...this.#requests];
    const parts = list.map(([id, { method, url, body }]) => {
      const { pathname, search } = withKey(new URL(url));
      const content =
        body === undefined
          ? ""
          : `Content-Type: application/json\r\n\r\n${JSON.stringify(body)}`;
      return `--batch\r\nContent-Type: application/http\r\nContent-ID: <${id}>\r\n\r\n${method} ${pathname}${search}\r\n${content}\r\n`;
    });
    const response = await fetch(list[0][1].batch, {
      method: "POST",
      headers: {
        ...headersOf(),
        "content-type": "multipart/mixed; boundary=batch",
      },
      body: `${parts.join("")}--batch--`,
    });
    const boundary = /boundary=([^;]+)/.exec(
      response.headers.get("content-type"),
    )[1];
    const answers = (await response.text()).split(`--${boundary}`).slice(1, -1);
    const result = {};
    for (const [index, [id]] of list.entries()) {
      const [, head, text] = answers[index].split("\r\n\r\n");
      const status = Number(/ (\d{3})/.exec(head)[1]);
      try {
        result[id] = resultOf(status, text.trim());
      } catch (error) {
        result[id] = error;
      }
    }
    return { result };
  }
  then(onResult, onError) {
    return this.#send().then(onResult, onError);
  }
}

function hostOf({ rootUrl }) {
  const { hostname } = new URL(rootUrl);
  const [name] = hostname.split(".");
  return name === "www"
    ? "https://content.googleapis.com"
    : `https://content-${name}.googleapis.com`;
}

function addResources(target, resources, document) {
  for (const [name, { methods = {}, resources: below = {} }] of Object.entries(
    resources,
  )) {
    const resource = (target[name] ??= {});
    addResources(resource, below, document);
    for (const [methodName, method] of Object.entries(methods))
      resource[methodName] = (parameters = {}, body) =>
        new GapiRequest(partsOf(document, method, parameters, body));
  }
}

function partsOf(document, method, parameters, body) {
  const { resource, ...query } = parameters;
  const path = method.path.replace(/\{\+?(\w+)\}/g, (text, name) => {
    const value = query[name];
    delete query[name];
    return text.startsWith("{+") ? encodeURI(value) : encodeURIComponent(value);
  });
  const url = new URL(`${hostOf(document)}/${document.servicePath}${path}`);
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat())
      if (one !== undefined) url.searchParams.append(name, one);
  return {
    method: method.httpMethod,
    url: url.href,
    body: body ?? resource,
    batch: `${hostOf(document)}/${document.batchPath}`,
  };
}

function addApi(name, version) {
  const file = `${process.env.SPECS}/${name}.${version}.json`;
  const document = JSON.parse(readFileSync(file, "utf8"));
  addResources((client[name] ??= {}), document.resources, document);
}

function addDocument(url) {
  const [, name, version] =
    /\/apis\/(\w+)\/(\w+)\/rest/.exec(url) ??
    /\/\/(\w+)\..*[?&]version=(\w+)/.exec(url);
  addApi(name, version);
}

const client = {
  async init(options = {}) {
    if (options.apiKey !== undefined) apiKey = options.apiKey;
    for (const one of options.discoveryDocs ?? []) addDocument(one);
  },
  async load(name, version, callback) {
    if (name.startsWith("https:")) addDocument(name);
    else addApi(name, version);
    callback?.();
  },
  setApiKey: (key) => (apiKey = key),
  setToken: (value) => (token = value),
  getToken: () => token,
  newBatch: () => new Batch(),
  request({ path, method = "GET", params = {}, body }) {
    const url = new URL(path, "https://content.googleapis.com");
    if (url.host === "www.googleapis.com") url.host = "content.googleapis.com";
    for (const [name, value] of Object.entries(params))
      url.searchParams.set(name, value);
    return new GapiRequest({ method, url: url.href, body });
  },
};

globalThis.gapi = {
  load: (names, options) =>
    queueMicrotask(typeof options === "function" ? options : options.callback),
  client,
};
globalThis.google = {
  accounts: {
    oauth2: {
      initTokenClient: (config) => ({
        callback: config.callback,
        requestAccessToken() {
          token = { access_token: "granted" };
          queueMicrotask(() => this.callback({ ...token }));
        },
      }),
    },
  },
};
