import { createWriteStream, readFileSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { google } from "googleapis";

const drive = google.drive({ version: "v3", auth: "key" });
const target = `${process.env.FOLDER}/download.txt`;
const res = await drive.files.get(
  { fileId: "a", alt: "media" },
  { responseType: "stream" },
);
await pipeline(res.data, createWriteStream(target));
console.log(readFileSync(target, "utf8"));
const bytes = await drive.files.get(
  { fileId: "b", alt: "media" },
  { responseType: "arraybuffer" },
);
console.log(Buffer.from(bytes.data as ArrayBuffer).toString());
