import { google, Common } from "googleapis";
import { GaxiosError } from "gaxios";

const drive = google.drive({ version: "v3", auth: process.env.API_KEY });

function isNotFound(err: unknown): boolean {
  return err instanceof GaxiosError && err.response?.status === 404;
}

async function exists(fileId: string): Promise<boolean> {
  try {
    await drive.files.get({ fileId, fields: "id" });
    return true;
  } catch (err) {
    if (isNotFound(err)) return false;
    throw err;
  }
}

async function describe(fileId: string): Promise<string> {
  try {
    const res = await drive.files.get({ fileId });
    return res.data.name || "unnamed";
  } catch (e: any) {
    if (e.code === 404) {
      return `not found: ${e.response?.data?.error?.message}`;
    }
    if (e.errors && e.errors.length) {
      return e.errors[0].reason;
    }
    return "unknown";
  }
}

async function retry<T>(fn: () => Promise<T>, n = 2): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fn();
    } catch (error) {
      const status = (error as Common.GaxiosError).response?.status;
      if (status && status < 500) throw error;
      if (attempt >= n) throw error;
    }
  }
}

console.log(await exists("a"), await exists("missing"));
console.log(await describe("missing"));
console.log(
  await retry(
    async () => (await drive.files.get({ fileId: "missing" })).data,
  ).catch((e: Common.GaxiosError) => e.status),
);
