const { promisify } = require("util");
const { google } = require("googleapis");
const storage = google.storage({ version: "v1", auth: process.env.API_KEY });

const listBuckets = promisify(storage.buckets.list.bind(storage.buckets));

(async () => {
  const res = await listBuckets({ project: "p" });
  console.log(res.data.items.length);
})();
