import { google } from "googleapis";

const drive = google.drive({ version: "v3", auth: "key" });
drive.files.list({ pageSize: 10, fields: "files(id,name)" }, (err, res) => {
  if (err) return console.error(`The API returned an error: ${err}`);
  const files = res?.data.files ?? [];
  for (const file of files) console.log(`${file.name} (${file.id})`);
});
