import { google, calendar_v3 } from "googleapis";

const calendar = google.calendar({ version: "v3", auth: "AIzaKey" });
const state = new Map<string, string>();

async function sync(calendarId: string): Promise<calendar_v3.Schema$Event[]> {
  const changed: calendar_v3.Schema$Event[] = [];
  let pageToken: string | undefined;
  let nextSyncToken: string | null | undefined;
  do {
    try {
      const response = await calendar.events.list({
        calendarId,
        syncToken: state.get(calendarId),
        pageToken,
        maxResults: 250,
      });
      changed.push(...(response.data.items || []));
      pageToken = response.data.nextPageToken || undefined;
      nextSyncToken = response.data.nextSyncToken;
    } catch (error: any) {
      if (error.code === 410) {
        state.delete(calendarId);
        return sync(calendarId);
      }
      throw error;
    }
  } while (pageToken);
  if (nextSyncToken) state.set(calendarId, nextSyncToken);
  return changed;
}

console.log((await sync("primary")).length);
await sync("missing").catch((error) =>
  console.log(error.code, error.response.data.error.message),
);
