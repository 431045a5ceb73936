// Measures CPU per call over a fetch that responds from memory.
// Usage: node cpu.mjs <work> <by hand|flat|bound|peer> <get|list> <calls>
import { byHand, ours, parametersOf, peer, textOf } from "./fixtures.mjs";

const [work, row, method, count] = process.argv.slice(2);
const text = textOf[method];
const headers = { "content-type": "application/json; charset=UTF-8" };
const mock = async () => new Response(text, { headers });
const parameters = parametersOf[method];

async function callerOf() {
  if (row == "by hand") return byHand(mock)[method];
  if (row == "peer") {
    const { files } = peer(work, { fetchImplementation: mock });
    return async (given) => (await files[method](given)).data;
  }
  const options = { fetch: mock, auth: () => "token" };
  const api = await ours(work);
  if (row == "bound") return api.createDrive(options).files[method];
  const client = api.createClient(options);
  return (given) => api[method](client, given);
}

const call = await callerOf();
const { kind } = await call(parameters(0));
if (!kind.startsWith("drive#file"))
  throw new Error(`unexpected response: ${kind}`);

async function spend(calls) {
  const start = process.cpuUsage();
  for (let at = 0; at < calls; at++) await call(parameters(at));
  const { user, system } = process.cpuUsage(start);
  return (user + system) / calls;
}
await spend(Number(count) / 2);
console.log(await spend(Number(count)));
