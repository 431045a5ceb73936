// Loaded before a program: sends its requests to the server of RECORDER instead of
// the host that they name.
import { register } from "node:module";

/** Returns the URL at the server for a request to a host that is not local. */
globalThis.redirectToRecorder = (input) => {
  const url = new URL(input instanceof Request ? input.url : input);
  return ["127.0.0.1", "localhost"].includes(url.hostname)
    ? url.href
    : `${process.env.RECORDER}/${url.host}${url.pathname}${url.search}`;
};

const send = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const target = globalThis.redirectToRecorder(input);
  return send(input instanceof Request ? new Request(target, input) : target, {
    ...init,
    ...(init?.body === undefined ? {} : { duplex: "half" }),
  });
};

// googleapis sends requests with node-fetch.
const hooks = `export async function resolve(name, context, next) {
  const found = await next(name, context);
  if (name !== "node-fetch") return found;
  const text = \`import fetch from \${JSON.stringify(found.url)};
export default (input, init) => fetch(redirectToRecorder(input), init);\`;
  return { url: "data:text/javascript," + encodeURIComponent(text), shortCircuit: true };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
