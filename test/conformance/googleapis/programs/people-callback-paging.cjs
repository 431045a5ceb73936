const { google } = require("googleapis");

const people = google.people({ version: "v1", auth: "key" });
const all = [];

function fetchPage(pageToken, done) {
  people.people.connections.list(
    {
      resourceName: "people/me",
      pageSize: 100,
      pageToken: pageToken,
      personFields: "names,emailAddresses",
    },
    (err, res) => {
      if (err) {
        return done(err);
      }
      all.push(...(res.data.connections || []));
      if (res.data.nextPageToken) {
        fetchPage(res.data.nextPageToken, done);
      } else {
        done(null, all);
      }
    },
  );
}

fetchPage(undefined, (err, list) => {
  if (err) return console.error(err);
  console.log("contacts:", list.length);
});
