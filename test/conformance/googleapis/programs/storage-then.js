import { google } from "googleapis";

const storage = google.storage({ version: "v1", auth: "key" });

storage.buckets
  .list({ project: "my-project" })
  .then((res) => res.data.items.map((bucket) => bucket.name))
  .then((names) =>
    Promise.all(
      names.map((bucket) =>
        storage.objects
          .list({ bucket, prefix: "logs/", delimiter: "/" })
          .then(({ data }) => ({ bucket, count: (data.items || []).length })),
      ),
    ),
  )
  .then((list) => list.forEach((x) => console.log(x.bucket, x.count)))
  .catch((error) => console.error("failed", error.response.status));
