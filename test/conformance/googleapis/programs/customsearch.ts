import { google } from "googleapis";
const customsearch = google.customsearch("v1");

const options = {
  cx: "engine",
  q: "generated clients",
  auth: "key",
};

async function runSample({ cx, q, auth }: typeof options) {
  const res = await customsearch.cse.list({ cx, q, auth, num: 3 });
  console.log(res.data.items?.map((item) => item.title));
  return res.data;
}

runSample(options).catch(console.error);
