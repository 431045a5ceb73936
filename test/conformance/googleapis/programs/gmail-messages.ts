import { google } from "googleapis";

const gmail = google.gmail({ version: "v1", auth: "key" });
async function listIds(q: string): Promise<string[]> {
  const result = await gmail.users.messages.list({
    userId: "me",
    q,
    labelIds: ["INBOX", "UNREAD"],
  });
  return (result.data.messages ?? []).map((message) => message.id!);
}
for (const id of await listIds("is:unread")) {
  const { data: message } = await gmail.users.messages.get({
    userId: "me",
    id,
    format: "metadata",
  });
  console.log(message.id);
  await gmail.users.messages.modify({
    userId: "me",
    id,
    requestBody: { removeLabelIds: ["UNREAD"] },
  });
}
