import { calendar_v3, google } from "googleapis";

const calendar: calendar_v3.Calendar = google.calendar({
  version: "v3",
  auth: "key",
});
const res = await calendar.events.list({
  calendarId: "primary",
  timeMin: "2026-01-01T00:00:00Z",
  maxResults: 10,
  singleEvents: true,
  orderBy: "startTime",
});
const events = res.data.items;
console.log(events?.length);
const event: calendar_v3.Schema$Event = {
  summary: "Review",
  start: { dateTime: "2026-01-02T09:00:00Z" },
  end: { dateTime: "2026-01-02T10:00:00Z" },
};
const created = await calendar.events.insert({
  calendarId: "primary",
  requestBody: event,
  sendUpdates: "all",
});
console.log(created.data.id);
