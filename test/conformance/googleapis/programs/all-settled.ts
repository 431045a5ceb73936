import { google } from "googleapis";

const drive = google.drive({ version: "v3", auth: "key" });
const ids = ["a", "missing", "b"];

const results = await Promise.allSettled(
  ids.map((fileId) => drive.files.get({ fileId })),
);
results.forEach((result, index) => {
  if (result.status === "fulfilled") {
    console.log(ids[index], result.value.data.name);
  } else {
    console.log(ids[index], "failed", result.reason.code);
  }
});
