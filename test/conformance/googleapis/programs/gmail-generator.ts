import { google, gmail_v1 } from "googleapis";

const gmail = google.gmail({ version: "v1", auth: "key" });

async function* messages(
  query: string,
): AsyncGenerator<gmail_v1.Schema$Message> {
  let pageToken: string | undefined;
  do {
    const res = await gmail.users.messages.list({
      userId: "me",
      q: query,
      maxResults: 100,
      pageToken,
    });
    for (const { id } of res.data.messages ?? []) {
      const full = await gmail.users.messages.get({ userId: "me", id: id! });
      yield full.data;
    }
    pageToken = res.data.nextPageToken ?? undefined;
  } while (pageToken !== undefined);
}

for await (const message of messages("newer_than:1d")) {
  const subject = message.payload?.headers?.find((h) => h.name === "Subject");
  console.log(message.id, subject?.value ?? "no subject");
}
