import { google } from "googleapis";

const pubsub = google.pubsub({ version: "v1", auth: "key" });
const topic = "projects/p/topics/events";
const subscription = "projects/p/subscriptions/worker";

async function publish(payload: object, attributes: Record<string, string>) {
  const data = Buffer.from(JSON.stringify(payload)).toString("base64");
  const res = await pubsub.projects.topics.publish({
    topic,
    requestBody: { messages: [{ data, attributes }] },
  });
  return res.data.messageIds?.[0];
}

async function drain() {
  const { data } = await pubsub.projects.subscriptions.pull({
    subscription,
    requestBody: { maxMessages: 10 },
  });
  const ackIds: string[] = [];
  for (const { ackId, message } of data.receivedMessages ?? []) {
    console.log(Buffer.from(message?.data ?? "", "base64").toString("utf8"));
    if (ackId) ackIds.push(ackId);
  }
  if (ackIds.length > 0)
    await pubsub.projects.subscriptions.acknowledge({
      subscription,
      requestBody: { ackIds },
    });
  return ackIds.length;
}

console.log(await publish({ kind: "created" }, { origin: "test" }));
console.log(await drain());
