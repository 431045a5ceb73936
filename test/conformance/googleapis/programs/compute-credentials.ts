import { google } from "googleapis";

const auth = new google.auth.Compute({
  scopes: ["https://www.googleapis.com/auth/logging.write"],
});
const logging = google.logging({ version: "v2", auth });
await logging.entries.write({
  requestBody: {
    logName: "projects/p/logs/app",
    resource: { type: "global" },
    entries: [{ textPayload: "started", severity: "INFO" }],
  },
});
console.log("written");
