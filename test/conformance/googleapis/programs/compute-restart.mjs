import { google } from "googleapis";

const compute = google.compute("v1");
const [project = "p", zone = "europe-west1-b"] = process.argv.slice(2);

async function waitFor(operation) {
  const res = await compute.zoneOperations.wait({
    project,
    zone,
    operation,
  });
  if (res.data.error) throw new Error(JSON.stringify(res.data.error));
  return res.data.status;
}

async function main() {
  const auth = new google.auth.GoogleAuth({
    scopes: ["https://www.googleapis.com/auth/cloud-platform"],
  });
  google.options({ auth: await auth.getClient() });
  const stop = await compute.instances.stop({ project, zone, instance: "vm" });
  console.log(await waitFor(stop.data.name));
  const start = await compute.instances.start({
    project,
    zone,
    instance: "vm",
  });
  console.log(await waitFor(start.data.name));
  const all = await compute.instances.aggregatedList({ project });
  for (const [name, scope] of Object.entries(all.data.items ?? {})) {
    console.log(name, scope.instances?.length ?? 0);
  }
}

main().catch(console.error);
