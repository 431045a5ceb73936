import { google, gmail_v1, Common } from "googleapis";

type MessageResponse = Common.GaxiosResponse<gmail_v1.Schema$Message>;

function findParts(
  part: gmail_v1.Schema$MessagePart | undefined,
  found: gmail_v1.Schema$MessagePart[] = [],
): gmail_v1.Schema$MessagePart[] {
  if (!part) return found;
  if (part.filename && part.body?.attachmentId) found.push(part);
  part.parts?.forEach((p) => findParts(p, found));
  return found;
}

async function fetchMessage(
  gmail: gmail_v1.Gmail,
  id: string,
): Promise<MessageResponse> {
  return gmail.users.messages.get({ userId: "me", id, format: "full" });
}

export async function attachments(
  gmail: gmail_v1.Gmail,
  id: string,
): Promise<Array<{ name: string; size: number }>> {
  const message = await fetchMessage(gmail, id);
  if (message.status !== 200) throw new Error(`status ${message.status}`);
  const result: Array<{ name: string; size: number }> = [];
  for (const part of findParts(message.data.payload)) {
    const attachment = await gmail.users.messages.attachments.get({
      userId: "me",
      messageId: id,
      id: part.body!.attachmentId!,
    });
    result.push({
      name: part.filename!,
      size: Buffer.from(attachment.data.data ?? "", "base64").length,
    });
  }
  return result;
}

const auth = new google.auth.OAuth2();
auth.setCredentials({ access_token: "ya29.token" });
const gmail = google.gmail({ version: "v1", auth });
console.log(await attachments(gmail, "m1"));
const labels = (await gmail.users.labels.list({ userId: "me" })).data.labels;
console.log(labels?.map((l) => l.name));
await gmail.users.messages.modify({
  userId: "me",
  id: "m1",
  requestBody: { addLabelIds: ["X"], removeLabelIds: ["UNREAD"] },
});
