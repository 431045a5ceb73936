const fs = require("fs");
const path = require("path");
const { google } = require("googleapis");

const storage = google.storage("v1");

async function upload(bucket, file) {
  const res = await storage.objects.insert({
    bucket,
    name: path.basename(file),
    uploadType: "media",
    media: {
      mimeType: "text/plain",
      body: fs.createReadStream(file),
    },
    key: process.env.API_KEY,
  });
  return res.data;
}

const file = path.join(process.env.FOLDER, "upload.txt");
fs.writeFileSync(file, "some text");
upload("bucket", file)
  .then((object) => console.log(`uploaded ${object.name}`))
  .catch((err) => {
    console.error(err.message);
    process.exitCode = 1;
  });
