import fs from "fs";
import { pipeline } from "stream/promises";
import { google } from "googleapis";

const auth = new google.auth.GoogleAuth({
  keyFile: "key.json",
  scopes: "https://www.googleapis.com/auth/drive.readonly",
});
const service = google.drive({ version: "v3", auth });

/**
 * Download a Document file in PDF format
 * @param{string} fileId file ID
 */
async function exportPdf(fileId) {
  try {
    const result = await service.files.export(
      { fileId: fileId, mimeType: "application/pdf" },
      { responseType: "arraybuffer" },
    );
    fs.writeFileSync(`${process.env.FOLDER}/doc.pdf`, Buffer.from(result.data));
    console.log(result.status);
    return result;
  } catch (err) {
    // TODO(developer) - Handle error
    throw err;
  }
}

async function save(fileId) {
  const { data: body, headers } = await service.files.get(
    { fileId, alt: "media", acknowledgeAbuse: true },
    { responseType: "stream" },
  );
  await pipeline(body, fs.createWriteStream(`${process.env.FOLDER}/saved.bin`));
  console.log(typeof headers);
}

async function readText(fileId) {
  const res = await service.files.get(
    { fileId, alt: "media" },
    { responseType: "text" },
  );
  console.log(res.data.length > 0);
}

await exportPdf("d1");
await save("f1");
await readText("f2");
