import { google } from "googleapis";

const blogger = google.blogger({
  version: "v3",
  auth: process.env.API_KEY,
});

const params = {
  blogId: "3213900",
};

async function main() {
  const res = await blogger.blogs.get(params);
  console.log(`The blog id is ${res.data.id}`);
  const posts = await blogger.posts.list({
    blogId: params.blogId,
    fetchBodies: false,
    status: ["LIVE"],
    view: "READER",
  });
  console.log(posts.data.items.length);
}

main().catch((e) => {
  console.error(e);
  throw e;
});
