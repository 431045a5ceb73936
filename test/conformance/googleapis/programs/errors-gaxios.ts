import { GaxiosError } from "gaxios";
import { google } from "googleapis";

const drive = google.drive({ version: "v3", auth: "key" });

async function exists(fileId: string): Promise<boolean> {
  try {
    await drive.files.get({ fileId, fields: "id" });
    return true;
  } catch (err) {
    if (err instanceof GaxiosError && err.response?.status === 404) {
      return false;
    }
    if (err instanceof GaxiosError) {
      console.error(err.response?.data.error.message, err.config.url);
    }
    throw err;
  }
}

async function explain(fileId: string): Promise<string> {
  try {
    await drive.files.delete({ fileId });
    return "deleted";
  } catch (err: unknown) {
    const e = err as GaxiosError;
    return `${e.code}: ${e.response?.statusText ?? ""}`.slice(0, 4);
  }
}

console.log(await exists("a"));
try {
  console.log(await exists("missing"));
} catch {
  console.log("other class of errors");
}
console.log(await explain("missing"));
