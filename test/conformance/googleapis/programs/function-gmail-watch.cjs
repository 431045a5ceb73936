const { google } = require("googleapis");

const gmail = google.gmail({ version: "v1", auth: "key" });
let lastHistoryId = "100";

exports.watch = async (req, res) => {
  const { data } = await gmail.users.watch({
    userId: "me",
    requestBody: {
      labelIds: ["INBOX"],
      topicName: "projects/p/topics/gmail",
    },
  });
  res.status(200).send(String(data.expiration));
};

exports.onMessage = async (event) => {
  const payload = JSON.parse(Buffer.from(event.data, "base64").toString());
  const history = await gmail.users.history.list({
    userId: "me",
    startHistoryId: lastHistoryId,
    historyTypes: ["messageAdded"],
  });
  const added = (history.data.history || []).flatMap(
    (entry) => entry.messagesAdded || [],
  );
  lastHistoryId = payload.historyId;
  return added.length;
};

if (require.main === module) {
  const res = {
    status: (code) => (console.log(code), res),
    send: (text) => console.log(text.length > 0),
  };
  const data = Buffer.from(JSON.stringify({ historyId: "200" })).toString(
    "base64",
  );
  exports
    .watch({}, res)
    .then(() => exports.onMessage({ data }))
    .then(console.log);
}
