import { google } from "googleapis";
import type { calendar_v3 } from "googleapis";

const store = new Map<string, string>();

async function sync(calendar: calendar_v3.Calendar, calendarId: string) {
  let pageToken: string | undefined;
  let syncToken = store.get(calendarId);
  let count = 0;
  do {
    let response;
    try {
      response = await calendar.events.list({
        calendarId,
        pageToken,
        syncToken,
        maxResults: 250,
      });
    } catch (err: any) {
      if (err.code === 410) {
        store.delete(calendarId);
        syncToken = undefined;
        continue;
      }
      throw err;
    }
    count += response.data.items?.length ?? 0;
    pageToken = response.data.nextPageToken || undefined;
    if (response.data.nextSyncToken)
      store.set(calendarId, response.data.nextSyncToken);
  } while (pageToken);
  return count;
}

const calendar = google.calendar({
  version: "v3",
  auth: process.env["API_KEY"],
});
console.log(await sync(calendar, "team@group.calendar.google.com"));
