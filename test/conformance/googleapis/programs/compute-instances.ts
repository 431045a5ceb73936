import { google } from "googleapis";

const compute = google.compute({ version: "v1", auth: "key" });
const list = await compute.instances.list({
  project: "p",
  zone: "z",
  filter: "status = RUNNING",
});
for (const instance of list.data.items ?? []) console.log(instance.name);
await compute.instances.stop({ project: "p", zone: "z", instance: "i" });
