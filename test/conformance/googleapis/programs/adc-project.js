import { google } from "googleapis";
const storage = google.storage("v1");

async function main() {
  const auth = new google.auth.GoogleAuth({
    scopes: [
      "https://www.googleapis.com/auth/devstorage.read_write",
      "https://www.googleapis.com/auth/cloud-platform",
    ],
  });

  // Acquire an auth client, and bind it to all future calls
  const authClient = await auth.getClient();
  google.options({ auth: authClient });
  const project = await auth.getProjectId();

  const res = await storage.buckets.list({ project });
  console.log(res.data.items.length);
}

main().catch(console.error);
