import { google } from "googleapis";

google.options({ headers: { "x-team": "a" } });
const drive = google.drive({ version: "v3", auth: "key" });
const results = await Promise.all(
  ["a", "b"].map((fileId) => drive.files.get({ fileId, fields: "id,name" })),
);
console.log(results.map(({ data }) => data.name).join());
const { status, data } = await drive.about.get({ fields: "user" });
console.log(status, data.user?.displayName);
