import { google } from "googleapis";

const storage = google.storage({ version: "v1", auth: "key" });
const { data } = await storage.objects.list({ bucket: "b", prefix: "logs/" });
console.log(data.items?.map((item) => item.name).join());
await storage.objects.copy({
  sourceBucket: "b",
  sourceObject: "a/b",
  destinationBucket: "c",
  destinationObject: "d",
  requestBody: {},
});
await storage.objects.delete({ bucket: "b", object: "a/b" });
