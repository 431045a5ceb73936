import { google } from "googleapis";

const drive = google.drive({ version: "v3", auth: process.env.API_KEY });

async function collect(query, token, found = []) {
  const { data } = await drive.files.list({
    q: query,
    pageToken: token,
    spaces: "drive",
  });
  found.push(...data.files);
  if (data.nextPageToken) {
    return collect(query, data.nextPageToken, found);
  }
  return found;
}

collect("mimeType = 'image/jpeg'")
  .then((files) => {
    files.forEach((file) => console.log("Found file:", file.name, file.id));
  })
  .catch(console.error);
