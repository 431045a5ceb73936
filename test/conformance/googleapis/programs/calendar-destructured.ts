import { google, calendar_v3 } from "googleapis";

type Event = calendar_v3.Schema$Event;

async function allEvents(
  calendar: calendar_v3.Calendar,
  calendarId: string,
  since: Date,
): Promise<Event[]> {
  const events: Event[] = [];
  let nextPageToken: string | null | undefined;
  do {
    const params: calendar_v3.Params$Resource$Events$List = {
      calendarId,
      timeMin: since.toISOString(),
      singleEvents: true,
      ...(nextPageToken && { pageToken: nextPageToken }),
    };
    const { data } = await calendar.events.list(params);
    events.push(...(data.items || []));
    nextPageToken = data.nextPageToken;
  } while (nextPageToken);
  return events;
}

(async () => {
  const calendar = google.calendar({ version: "v3", auth: "key" });
  const events = await allEvents(calendar, "primary", new Date(0));
  for (const { id, summary } of events) console.log(id, summary ?? "(none)");
})();
