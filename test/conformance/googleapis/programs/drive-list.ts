import { google } from "googleapis";

const drive = google.drive({ version: "v3", auth: process.env.API_KEY });

let pageToken: string | undefined;
const names: (string | null | undefined)[] = [];
do {
  const res = await drive.files.list({
    q: "trashed = false",
    fields: "nextPageToken, files(id, name)",
    pageToken,
  });
  for (const file of res.data.files ?? []) names.push(file.name);
  pageToken = res.data.nextPageToken ?? undefined;
} while (pageToken);
console.log(names.join());
