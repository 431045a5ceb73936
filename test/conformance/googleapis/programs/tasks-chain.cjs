const google = require("googleapis").google;
const auth = new google.auth.GoogleAuth({
  scopes: ["https://www.googleapis.com/auth/tasks"],
});

function main() {
  return auth
    .getClient()
    .then((client) => google.tasks({ version: "v1", auth: client }))
    .then((tasks) =>
      tasks.tasklists
        .list({ maxResults: 10 })
        .then((response) => response.data.items)
        .then((items) => {
          if (!items) return [];
          return Promise.all(
            items.map((item) =>
              tasks.tasks
                .list({ tasklist: item.id, showCompleted: false })
                .then((r) => r.data),
            ),
          );
        }),
    )
    .then((pages) => {
      pages.forEach((page) =>
        console.log(page.items.length, page.nextPageToken),
      );
    })
    .catch((err) => console.error("failed", err.message));
}

main();
