import { google } from "googleapis";

const drive = google.drive({ version: "v3", auth: "key" });
const controller = new AbortController();

const first = await drive.files.list(
  { pageSize: 1 },
  { signal: controller.signal },
);
console.log(first.data.files?.[0]?.id);
controller.abort();
try {
  await drive.files.list({ pageSize: 2 }, { signal: controller.signal });
} catch (error) {
  console.log("aborted", controller.signal.aborted, error instanceof Error);
}
