import { google, drive_v3 } from "googleapis";

const drive = google.drive({ version: "v3", auth: "key" });
const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms));

async function withBackoff<T>(
  operation: () => Promise<T>,
  attempts = 3,
): Promise<T> {
  for (let n = 0; ; n++) {
    try {
      return await operation();
    } catch (error: any) {
      const retriable =
        error.code === 429 ||
        (error.code === 403 &&
          error.errors?.[0]?.reason === "userRateLimitExceeded");
      if (!retriable || n + 1 >= attempts) throw error;
      await sleep(2 ** n + Math.random());
    }
  }
}

const res = await withBackoff(() =>
  drive.files.copy({ fileId: "a", requestBody: { name: "copy" } }),
);
const file: drive_v3.Schema$File = res.data;
console.log(file.id);
try {
  await withBackoff(() => drive.files.get({ fileId: "missing" }));
} catch (error: any) {
  console.log(error.code, error.response.data.error.code);
}
