var { google } = require("googleapis");
var drive = google.drive("v2");

function insert(title, callback) {
  drive.files.insert(
    {
      resource: { title: title, mimeType: "text/plain" },
      media: { mimeType: "text/plain", body: "Hello" },
      key: "key",
    },
    callback,
  );
}

insert("hello.txt", function (err, response) {
  if (err) {
    console.error("failed", err.code);
  } else {
    console.log("inserted", response.data.id);
  }
});
