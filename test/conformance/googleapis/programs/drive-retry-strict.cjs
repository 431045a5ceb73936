"use strict";
const { google } = require("googleapis");

const drive = google.drive({
  version: "v3",
  auth: new google.auth.GoogleAuth({
    keyFile: "key.json",
    scopes: ["https://www.googleapis.com/auth/drive"],
  }),
  timeout: 20000,
  retry: true,
  retryConfig: {
    retry: 5,
    retryDelay: 10,
    statusCodesToRetry: [
      [429, 429],
      [500, 599],
    ],
  },
});

const ids = ["a", "b", "missing"];

async function copyAll(folder) {
  const results = await Promise.allSettled(
    ids.map((id) =>
      drive.files.copy(
        {
          fileId: id,
          requestBody: { parents: [folder] },
          supportsAllDrives: true,
        },
        { timeout: 5000 },
      ),
    ),
  );
  return results.map((r, i) =>
    r.status === "fulfilled" ? r.value.data.id : `${ids[i]} failed`,
  );
}

copyAll("folder").then(console.log, console.error);
