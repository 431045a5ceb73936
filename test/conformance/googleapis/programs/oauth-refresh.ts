import { google } from "googleapis";

const oauth2Client = new google.auth.OAuth2(
  process.env.CLIENT_ID ?? "client",
  process.env.CLIENT_SECRET ?? "secret",
);
oauth2Client.setCredentials({ refresh_token: "stored-refresh-token" });

const tasks = google.tasks({ version: "v1", auth: oauth2Client });
const { data } = await tasks.tasklists.list();
console.log(data.items?.length);
