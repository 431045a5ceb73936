import { promises as fs } from "node:fs";
import path from "node:path";
import { google } from "googleapis";

const TOKEN_PATH = path.join(process.env.FOLDER, "saved-token.json");
await fs.writeFile(
  TOKEN_PATH,
  JSON.stringify({
    type: "authorized_user",
    client_id: "client",
    client_secret: "secret",
    refresh_token: "refresh",
  }),
);

/**
 * Reads previously authorized credentials from the save file.
 */
async function loadSavedCredentialsIfExist() {
  try {
    const content = await fs.readFile(TOKEN_PATH, "utf8");
    const credentials = JSON.parse(content);
    return google.auth.fromJSON(credentials);
  } catch (err) {
    return null;
  }
}

async function listFiles(authClient) {
  const drive = google.drive({ version: "v3", auth: authClient });
  const res = await drive.files.list({
    pageSize: 10,
    fields: "nextPageToken, files(id, name)",
  });
  const files = res.data.files;
  if (files.length === 0) {
    console.log("No files found.");
    return;
  }
  console.log("Files:");
  files.map((file) => {
    console.log(`${file.name} (${file.id})`);
  });
}

loadSavedCredentialsIfExist().then(listFiles).catch(console.error);
