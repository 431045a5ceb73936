import { ApiError } from "../../../../src/runtime/server/index.js";
import {
  countOf,
  known,
  pageOf,
  text,
  type Asked,
  type Fields,
} from "./service.js";

interface Subscription {
  readonly meta: Fields;
  /** Unacknowledged messages by acknowledgement id. */
  readonly waiting: Map<string, Fields>;
}

/** Topics and subscriptions, as far as clients of Pub/Sub need them. */
export function pubsubService(): object {
  const topics = new Map<string, Fields>();
  const subscriptions = new Map<string, Subscription>();
  let count = 0;
  const publish = (topic: string, message: Fields): string => {
    const messageId = String(++count);
    const publishTime = new Date().toISOString();
    for (const { meta, waiting } of subscriptions.values())
      if (meta["topic"] === topic)
        waiting.set(`ack-${++count}`, { ...message, messageId, publishTime });
    return messageId;
  };
  return {
    projects: {
      topics: {
        create: (call: Asked) => create(topics, call, call.body ?? {}),
        get: ({ params }: Asked) =>
          known(topics, text(params, "topic"), "Topic"),
        list: ({ params }: Asked) =>
          listOf("topics", [...topics.values()], params),
        delete({ params }: Asked) {
          known(topics, text(params, "topic"), "Topic");
          topics.delete(text(params, "topic"));
          return {};
        },
        publish({ params, body }: Asked) {
          const topic = text(params, "topic");
          known(topics, topic, "Topic");
          const messages = (body?.["messages"] ?? []) as Fields[];
          return { messageIds: messages.map((one) => publish(topic, one)) };
        },
      },
      subscriptions: {
        create(call: Asked) {
          const meta = { ackDeadlineSeconds: 10, ...call.body };
          known(topics, text(meta as Fields, "topic"), "Topic");
          return create(subscriptions, call, { meta, waiting: new Map() }).meta;
        },
        get: (call: Asked) => subscriptionOf(subscriptions, call).meta,
        list: ({ params }: Asked) =>
          listOf(
            "subscriptions",
            [...subscriptions.values()].map(({ meta }) => meta),
            params,
          ),
        delete(call: Asked) {
          subscriptionOf(subscriptions, call);
          subscriptions.delete(text(call.params, "subscription"));
          return {};
        },
        pull(call: Asked) {
          const { waiting } = subscriptionOf(subscriptions, call);
          const most = Number(call.body?.["maxMessages"] ?? 100);
          const some = [...waiting].slice(0, most);
          const received = some.map(([ackId, message]) => ({ ackId, message }));
          return received.length > 0 ? { receivedMessages: received } : {};
        },
        acknowledge(call: Asked) {
          const { waiting } = subscriptionOf(subscriptions, call);
          for (const id of (call.body?.["ackIds"] ?? []) as string[])
            waiting.delete(id);
          return {};
        },
      },
    },
  };
}

function subscriptionOf(
  all: ReadonlyMap<string, Subscription>,
  { params }: Asked,
): Subscription {
  return known(all, text(params, "subscription"), "Subscription");
}

/** Stores a resource under the name in the path. */
function create<T extends object>(
  kept: Map<string, T>,
  { params }: Asked,
  value: T,
): T {
  const name = text(params, "name");
  if (kept.has(name))
    throw new ApiError(409, `${name} exists already.`, {
      code: "ALREADY_EXISTS",
    });
  const holder = ("meta" in value ? value.meta : value) as Fields;
  holder["name"] = name;
  kept.set(name, value);
  return value;
}

function listOf(
  name: string,
  all: readonly Fields[],
  params: Readonly<Fields>,
): Fields {
  const { items, ...rest } = pageOf(
    all,
    params,
    countOf(params, "pageSize", 100),
  );
  return { [name]: items, ...rest };
}
