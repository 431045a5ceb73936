const { google } = require("googleapis");
const gmail = google.gmail({ version: "v1", auth: process.env.API_KEY });

function getMessage(id, done) {
  gmail.users.messages.get({ userId: "me", id: id }, function (err, result) {
    if (!err) {
      done(null, result.data);
    } else {
      done(new Error("code " + err.code));
    }
  });
}

getMessage("1", (e, m) => console.log(e && e.message, m && m.id));
getMessage("missing", (e, m) => console.log(e && e.message, m && m.id));

function countLabels(userId, callback) {
  gmail.users.labels.list({ userId }, (error, response) => {
    callback(
      error,
      response && response.data.labels ? response.data.labels.length : 0,
    );
  });
}
countLabels("me", (e, n) => console.log(e, n));
