const { google } = await import("googleapis");

const auth = new google.auth.JWT({
  email: "robot@p.iam.gserviceaccount.com",
  key: process.env.PRIVATE_KEY.replace(/\\n/gm, "\n"),
  scopes: ["https://www.googleapis.com/auth/drive"],
});
const drive = google.drive({ version: "v3", auth });

async function getAllFiles(folderId, pageToken = undefined, acc = []) {
  const {
    data: { files, nextPageToken },
  } = await drive.files.list({
    q: `'${folderId}' in parents and trashed = false`,
    fields: "nextPageToken, files(id,name,mimeType)",
    pageSize: 100,
    pageToken,
  });
  acc.push(...files);
  if (nextPageToken) return getAllFiles(folderId, nextPageToken, acc);
  return acc;
}

const files = await getAllFiles("root-folder");
for (const { id, name } of files) console.log(id, name);
