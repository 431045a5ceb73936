import { GoogleAuth, Impersonated } from "google-auth-library";
import { google } from "googleapis";

const source = new GoogleAuth({
  scopes: "https://www.googleapis.com/auth/cloud-platform",
});
const targetClient = new Impersonated({
  sourceClient: (await source.getClient()) as any,
  targetPrincipal: "target@p.iam.gserviceaccount.com",
  lifetime: 600,
  delegates: [],
  targetScopes: ["https://www.googleapis.com/auth/devstorage.read_only"],
});
const storage = google.storage({ version: "v1", auth: targetClient as any });
const { data } = await storage.objects.get({ bucket: "b", object: "o/1.txt" });
console.log(data.id);
