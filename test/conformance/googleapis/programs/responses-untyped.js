import { google } from "googleapis";

const drive = google.drive({ version: "v3", auth: process.env.API_KEY });

const response = await drive.files.get({ fileId: "a" });
const { data, headers, status } = response;
console.log(status, data.id, Boolean(headers));

const text = await drive.files.get(
  { fileId: "a", alt: "media" },
  { responseType: "text" },
);
console.log(text.data);

const blob = await drive.files.get(
  { fileId: "a", alt: "media" },
  { responseType: "blob" },
);
console.log(blob.data.size);

const buffer = Buffer.from(
  (
    await drive.files.get(
      { fileId: "a", alt: "media" },
      { responseType: "arraybuffer" },
    )
  ).data,
);
console.log(buffer.toString("utf-8"), buffer.length);

const { data: stream } = await drive.files.export(
  { fileId: "a", mimeType: "text/csv" },
  { responseType: "stream" },
);
let csv = "";
for await (const chunk of stream) csv += chunk;
console.log(csv);

const log = (result) =>
  console.log(JSON.stringify(result.data.files?.length), result.status);
log(await drive.files.list({}));
let saved;
saved = await drive.files.get({ fileId: "b" });
console.log(saved.data.name);
