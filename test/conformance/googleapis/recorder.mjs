// Loaded before a program: sends its requests to the server of RECORDER instead
// of the host that they name. googleapis then uses the same fetch.
import { register } from "node:module";

const send = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const target = `${process.env.RECORDER}/${url.host}${url.pathname}${url.search}`;
  return send(input instanceof Request ? new Request(target, input) : target, {
    ...init,
    ...(init?.body === undefined ? {} : { duplex: "half" }),
  });
};
const hooks = `export const resolve = (name, context, next) =>
  name === "node-fetch"
    ? { url: "data:text/javascript,export default globalThis.fetch;", shortCircuit: true }
    : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
