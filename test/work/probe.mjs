// Counts what an asynchronous function does for each call: bytes allocated (without
// collections, --min-semi-space-size), promises created, objects of the web
// created, functions called in a bundle. The optimizing compiler must be off
// (--no-opt), since what it removes depends on time.
import { createHook } from "node:async_hooks";
import { Session } from "node:inspector/promises";

const WEB = [
  "AbortController",
  "Headers",
  "ReadableStream",
  "Request",
  "Response",
  "TextDecoder",
  "TextEncoder",
  "TransformStream",
  "URL",
  "URLSearchParams",
];

const CALLS = 200;

async function repeat(call, count = CALLS) {
  for (let at = 0; at < count; at++) await call(at);
}

async function allocated(call) {
  const used = () => process.memoryUsage().heapUsed;
  await repeat(call);
  const before = used();
  await repeat(call);
  const total = used() - before;
  if (total < 0) throw new Error("memory was collected; raise the heap");
  return Math.round(total / CALLS);
}

async function promises(call) {
  let count = 0;
  const init = (_id, type) => type === "PROMISE" && count++;
  const hook = createHook({ init }).enable();
  await repeat(async () => {});
  const own = count;
  count = 0;
  await repeat(call);
  hook.disable();
  return Math.round((count - own) / CALLS);
}

async function webObjects(call) {
  let count = 0;
  const originals = WEB.map((name) => globalThis[name]);
  WEB.forEach((name, at) => {
    const construct = (target, args, created) => {
      count++;
      return Reflect.construct(target, args, created);
    };
    globalThis[name] = new Proxy(originals[at], { construct });
  });
  await repeat(call);
  WEB.forEach((name, at) => (globalThis[name] = originals[at]));
  return count / CALLS;
}

async function functionCalls(call, bundle) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true });
  await repeat(call);
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const own = result.filter(({ url }) => url.endsWith(bundle));
  const counts = own.flatMap(({ functions }) =>
    functions.map(({ ranges }) => ranges[0].count),
  );
  return Math.round(counts.reduce((sum, one) => sum + one, 0) / CALLS);
}

/** Returns all counts of a call; `bundle` is the end of the URL of its module. */
export async function probe(call, bundle) {
  return {
    allocated: await allocated(call),
    promises: await promises(call),
    webObjects: await webObjects(call),
    calls: await functionCalls(call, bundle),
  };
}
