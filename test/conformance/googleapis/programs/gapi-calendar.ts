declare const gapi: any;

interface Meeting {
  readonly summary: string;
  readonly start: Date;
}

const DOCS = ["https://www.googleapis.com/discovery/v1/apis/calendar/v3/rest"];

export async function connect(accessToken: string): Promise<void> {
  await new Promise((resolve) => gapi.load("client", resolve));
  await gapi.client.init({ discoveryDocs: DOCS });
  gapi.client.setToken({ access_token: accessToken });
}

export async function addMeeting({ summary, start }: Meeting): Promise<string> {
  const response = await gapi.client.calendar.events.insert({
    calendarId: "primary",
    sendUpdates: "none",
    resource: { summary, start: { dateTime: start.toISOString() } },
  });
  return response.result.id;
}

export async function upcoming(): Promise<string[]> {
  const { result } = await gapi.client.calendar.events.list({
    calendarId: "primary",
    timeMin: new Date(0).toISOString(),
    showDeleted: false,
    singleEvents: true,
    maxResults: 10,
    orderBy: "startTime",
  });
  return (result.items ?? []).map(
    (event: { summary?: string }) => event.summary,
  );
}

await connect("browser-token");
console.log(await addMeeting({ summary: "Sync", start: new Date(0) }));
console.log((await upcoming()).length);
