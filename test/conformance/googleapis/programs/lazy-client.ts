import { google, drive_v3 } from "googleapis";

let cached: drive_v3.Drive | undefined;

function getDrive(): drive_v3.Drive {
  if (!cached) {
    cached = google.drive({ version: "v3", auth: "key" });
  }
  return cached;
}

export const getFile = (fileId: string, fields = "id, name") =>
  getDrive()
    .files.get({ fileId, fields })
    .then((res) => res.data);

export async function permissions(fileId: string) {
  const res = await getDrive().permissions.list({ fileId });
  return res?.data?.permissions?.map((p) => p.emailAddress) || [];
}

const [file, emails] = await Promise.all([getFile("a"), permissions("a")]);
console.log(file.name, emails.length);
