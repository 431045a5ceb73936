import assert from "node:assert/strict";
import { google, type drive_v3 } from "googleapis";

async function newest(drive: drive_v3.Drive): Promise<string | undefined> {
  const res = await drive.files.list({ orderBy: "modifiedTime desc" });
  return res.data.files?.[0]?.name ?? undefined;
}

const fake = {
  files: {
    list: async () => ({ data: { files: [{ name: "latest" }] } }),
  },
} as unknown as drive_v3.Drive;
assert.equal(await newest(fake), "latest");
console.log("fake: ok");

const drive = google.drive({ version: "v3", auth: "key" });
console.log(await newest(drive));
