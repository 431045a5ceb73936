// Measures the peak memory of a streamed upload above the idle process, in MiB.
// Usage: node memory.mjs <work> <fetch|node> <resumable|media|multipart> <root> <MiB>
import { createReadStream } from "node:fs";
import { ours } from "./fixtures.mjs";

const [work, over, kind, root, size] = process.argv.slice(2);
const { createClient, create, nodeTransport } = await ours(work);
const transport = over == "node" ? nodeTransport() : undefined;
const client = createClient({ rootUrl: root, auth: "token", transport });

/** Returns resident memory, and the heap with buffers, which `external` includes. */
function measure() {
  const { rss, heapUsed, external } = process.memoryUsage();
  return [rss, heapUsed + external];
}

const idle = measure();
const peak = [...idle];
const sample = () =>
  measure().forEach((bytes, at) => (peak[at] = Math.max(peak[at], bytes)));
const timer = setInterval(sample, 2);
const body = createReadStream("/dev/zero", { end: size * 2 ** 20 - 1 });
const requestBody = kind == "media" ? undefined : { name: "zeros" };
const start = performance.now();
await create(client, { requestBody, media: { body } }, { upload: kind });
const seconds = (performance.now() - start) / 1000;
clearInterval(timer);
sample();
const [rss, used] = peak.map((bytes, at) => (bytes - idle[at]) / 2 ** 20);
console.log(JSON.stringify({ rss, used, seconds }));
process.exit();
