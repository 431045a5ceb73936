import { google } from "googleapis";

const drive = google.drive({ version: "v3", auth: "key" });
try {
  await drive.files.delete({ fileId: "missing" });
} catch (error: any) {
  if (error.response?.status === 404)
    console.log("gone", error.response.data.error.message);
  else throw error;
}
const status = await drive.files
  .get({ fileId: "missing" }, { retry: false })
  .then((res) => res.status)
  .catch((error: any) => error.response.status);
console.log(status);
