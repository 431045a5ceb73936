import fs from "node:fs";
import { google } from "googleapis";

const drive = google.drive({ version: "v3", auth: "key" });
const fileName = `${process.env.FOLDER}/big.bin`;
fs.writeFileSync(fileName, Buffer.alloc(100_000, 65));
const { size } = fs.statSync(fileName);
let last = 0;

const res = await drive.files.create(
  {
    requestBody: { name: "big.bin" },
    media: {
      mimeType: "application/octet-stream",
      body: fs.createReadStream(fileName),
    },
    fields: "id, size",
    supportsAllDrives: true,
  },
  {
    onUploadProgress: ({ bytesRead }) => {
      last = Math.max(last, Math.round((bytesRead / size) * 100));
    },
  },
);
console.log(res.data.id, last > 0);
const updated = await drive.files.update({
  fileId: res.data.id!,
  addParents: "folder",
  removeParents: "root",
  media: { mimeType: "text/plain", body: "new content" },
});
console.log(updated.data.name);
