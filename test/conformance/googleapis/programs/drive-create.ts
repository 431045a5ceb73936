import { google, drive_v3 } from "googleapis";

function open(key: string): drive_v3.Drive {
  return google.drive({ version: "v3", auth: key });
}

async function createFolder(drive: drive_v3.Drive, name: string) {
  const body: drive_v3.Schema$File = {
    name,
    mimeType: "application/vnd.google-apps.folder",
  };
  const { data } = await drive.files.create({
    requestBody: body,
    fields: "id",
  });
  return data.id;
}

console.log(await createFolder(open("key"), "reports"));
