"use strict";
const { google } = require("googleapis");
const books = google.books({ version: "v1", auth: "key" });

module.exports = async function search(q) {
  const { data } = await books.volumes.list({
    q,
    maxResults: 5,
    langRestrict: "en",
  });
  const items = data.items || [];
  return items.map(({ id, volumeInfo = {} }) => ({
    id,
    title: volumeInfo.title || "?",
  }));
};

if (require.main === module) {
  module.exports("typescript").then(console.log, console.error);
}
