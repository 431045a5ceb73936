import { google, logging_v2 } from "googleapis";

const logging = google.logging({ version: "v2", auth: "key" });

async function entries(filter: string, limit: number) {
  const found: logging_v2.Schema$LogEntry[] = [];
  let pageToken: string | null | undefined;
  do {
    const { data }: { data: logging_v2.Schema$ListLogEntriesResponse } =
      await logging.entries.list({
        requestBody: {
          resourceNames: ["projects/p"],
          filter,
          orderBy: "timestamp desc",
          pageToken,
        },
      });
    found.push(...(data.entries ?? []));
    pageToken = data.nextPageToken;
  } while (pageToken && found.length < limit);
  return found;
}

for (const entry of await entries("severity>=ERROR", 10))
  console.log(entry.timestamp, entry.textPayload);
