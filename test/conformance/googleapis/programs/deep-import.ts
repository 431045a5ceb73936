import { drive_v3 } from "googleapis/build/src/apis/drive/v3.js";
import { JWT } from "google-auth-library";
import { readFileSync } from "node:fs";

const key = JSON.parse(
  readFileSync(`${process.env.FOLDER}/key.json`, "utf8"),
) as { client_email: string; private_key: string };

const drive = new drive_v3.Drive({
  auth: new JWT({
    email: key.client_email,
    key: key.private_key,
    scopes: ["https://www.googleapis.com/auth/drive"],
  }) as any,
});
const { data } = await drive.changes.getStartPageToken({});
console.log(data.startPageToken ?? "none");
let token: string | undefined = "1";
while (token) {
  const res: { data: drive_v3.Schema$ChangeList } = await drive.changes.list({
    pageToken: token,
    pageSize: 5,
    includeRemoved: true,
  });
  for (const change of res.data.changes ?? []) console.log(change.fileId);
  token = token === "1" ? (res.data.nextPageToken ?? undefined) : undefined;
}
