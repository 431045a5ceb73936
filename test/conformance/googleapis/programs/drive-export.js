import fs from "node:fs";
import { google } from "googleapis";

const drive = google.drive({ version: "v3", auth: "key" });

async function exportPdf(fileId) {
  const destPath = `${process.env.FOLDER}/resume.pdf`;
  const dest = fs.createWriteStream(destPath);
  const res = await drive.files.export(
    { fileId, mimeType: "application/pdf" },
    { responseType: "stream" },
  );
  let progress = 0;
  return new Promise((resolve, reject) => {
    res.data
      .on("end", () => resolve(destPath))
      .on("error", reject)
      .on("data", (chunk) => {
        progress += chunk.length;
      })
      .pipe(dest);
    dest.on("finish", () => console.log(progress, "bytes"));
  });
}

await exportPdf("doc");
await new Promise((resolve) => setTimeout(resolve, 50));
const text = await drive.files.export({
  fileId: "doc",
  mimeType: "text/plain",
});
console.log(typeof text.data);
