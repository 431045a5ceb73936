import { google } from "googleapis";

const auth = process.env.API_KEY;
const services = {
  drive: google.drive({ version: "v3", auth }),
  calendar: google.calendar({ version: "v3", auth }),
  tasks: google.tasks({ version: "v1", auth }),
} as const;

type Check = () => Promise<{ status: number }>;
const checks: Record<keyof typeof services, Check> = {
  drive: () => services.drive.about.get({ fields: "user" }),
  calendar: () => services.calendar.calendarList.list({ maxResults: 1 }),
  tasks: () => services.tasks.tasklists.list({ maxResults: 1 }),
};

for (const [name, check] of Object.entries(checks)) {
  const { status } = await check();
  console.log(name, status === 200 ? "ok" : "failed");
}
