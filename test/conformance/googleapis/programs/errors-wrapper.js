import { google } from "googleapis";

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));

async function withBackoff(fn, retries = 3) {
  for (let i = 0; i < retries; i++) {
    try {
      return await fn();
    } catch (e) {
      const reason =
        e.errors?.[0]?.reason ?? e.response?.data?.error?.errors?.[0]?.reason;
      if (e.code === 403 && reason === "userRateLimitExceeded") {
        await sleep(2 ** i);
        continue;
      }
      throw e;
    }
  }
}

const drive = google.drive({ version: "v3", auth: process.env.API_KEY });
const result = await withBackoff(() => drive.files.list({ pageSize: 2 }));
console.log(result.data.files.length);
const { data } = await withBackoff(() => drive.files.get({ fileId: "a" }));
console.log(data.id);
try {
  await withBackoff(() => drive.files.get({ fileId: "missing" }));
} catch (e) {
  console.log(e.code, e.response.status, e.response.data.error.code);
}
