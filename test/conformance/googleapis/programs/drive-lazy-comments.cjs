const { google } = require("googleapis");
let drive;

async function init() {
  if (!drive) {
    const auth = new google.auth.GoogleAuth({
      keyFile: "key.json",
      scopes: ["https://www.googleapis.com/auth/drive"],
    });
    drive = google.drive({ version: "v3", auth });
  }
  return drive;
}

async function comments(fileId) {
  const d = await init();
  const params = {
    fileId,
    fields: "comments(id,content,author/displayName),nextPageToken",
    pageSize: 20,
  };
  const out = [];
  while (true) {
    const { data } = await d.comments.list(params);
    out.push(...(data.comments || []));
    if (!data.nextPageToken) return out;
    params.pageToken = data.nextPageToken;
  }
}

module.exports = { comments };

(async () => {
  console.log((await comments("f")).length);
  const [revs, about] = await Promise.all([
    (await init()).revisions.list({ fileId: "f" }),
    (await init()).about.get({ fields: "user,storageQuota" }),
  ]);
  console.log(revs.data.kind, about.data.user && about.data.user.displayName);
  await drive.replies.create({
    fileId: "f",
    commentId: "c",
    fields: "id",
    requestBody: { content: "ok", action: "resolve" },
  });
})();
