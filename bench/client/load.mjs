// Sends requests over loopback, 16 in flight; measures the client's process.
// Usage: node load.mjs <work> <fetch|http|ours fetch|ours node|peer> <get|list> <root> <requests>
import { byHand, httpFetch, ours, parametersOf, peer } from "./fixtures.mjs";

const [work, row, method, root, count] = process.argv.slice(2);
const parameters = parametersOf[method];

async function callerOf() {
  if (row == "fetch") return byHand(fetch, root)[method];
  if (row == "http") return byHand(httpFetch(), root)[method];
  if (row == "peer") {
    const { files } = peer(work, { rootUrl: root });
    return async (given) => (await files[method](given)).data;
  }
  const { createDrive, nodeTransport } = await ours(work);
  const options = { rootUrl: root, auth: () => "token" };
  const transport = row == "ours node" ? nodeTransport() : undefined;
  return createDrive({ ...options, transport }).files[method];
}

const call = await callerOf();
const { kind } = await call(parameters(0));
if (!kind.startsWith("drive#file"))
  throw new Error(`unexpected response: ${kind}`);

async function load(requests) {
  let at = 0;
  const one = async () => {
    while (at < requests) await call(parameters(at++));
  };
  const start = performance.now();
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: 16 }, one));
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - start) / 1000;
  return {
    rate: requests / seconds,
    perCpu: requests / ((user + system) / 1e6),
  };
}
await load(Number(count) / 4);
console.log(JSON.stringify(await load(Number(count))));
process.exit();
