import { google, type drive_v3 } from "googleapis";

const auth = new google.auth.GoogleAuth({
  scopes: ["https://www.googleapis.com/auth/drive.readonly"],
});
const drive = google.drive({ version: "v3", auth });

export async function listFolder(id: string): Promise<drive_v3.Schema$File[]> {
  const result: drive_v3.Schema$File[] = [];
  let pageToken: string | undefined = undefined;
  while (true) {
    const response: { data: drive_v3.Schema$FileList } = await drive.files.list(
      {
        q: `'${id}' in parents and trashed = false`,
        pageSize: 1000,
        pageToken,
        fields: "nextPageToken, files(id, name, mimeType)",
        supportsAllDrives: true,
        includeItemsFromAllDrives: true,
      },
    );
    if (response.data.files) result.push(...response.data.files);
    if (!response.data.nextPageToken) break;
    pageToken = response.data.nextPageToken;
  }
  return result;
}

const files = await listFolder("root");
console.log(files.map((f) => f.name).join(", "));
