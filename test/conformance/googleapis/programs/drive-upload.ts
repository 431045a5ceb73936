import { google } from "googleapis";

const drive = google.drive("v3");
const made = await drive.files.create(
  {
    requestBody: { name: "a.txt", mimeType: "text/plain" },
    media: { mimeType: "text/plain", body: "hello" },
    fields: "id,name",
    key: "key",
  },
  { headers: { "x-trace": "1" } },
);
console.log(made.data.id, made.data.name);
