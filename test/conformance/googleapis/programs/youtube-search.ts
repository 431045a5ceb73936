import { google } from "googleapis";

const youtube = google.youtube({ version: "v3", auth: process.env.API_KEY });
const search = await youtube.search.list({
  part: ["snippet"],
  q: "typescript",
  maxResults: 5,
  type: ["video"],
});
const ids = (search.data.items ?? []).map((item) => item.id);
console.log(ids.length);
const videos = await youtube.videos.list({
  part: ["statistics", "snippet"],
  id: ["a", "b"],
});
console.log(videos.data.items?.length);
