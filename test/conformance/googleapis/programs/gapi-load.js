gapi.load("client", () => {
  gapi.client.setApiKey("key");
  gapi.client.load("tasks", "v1").then(() => {
    const request = gapi.client.tasks.tasks.list({
      tasklist: "@default",
      showCompleted: false,
    });
    request.execute((resp) => {
      for (const task of resp.items || []) console.log(task.id);
    });
  });
});
