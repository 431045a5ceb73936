gapi.load("client", async () => {
  await gapi.client.init({ apiKey: "key" });
  const { result } = await gapi.client.request({
    path: "https://www.googleapis.com/drive/v3/about",
    params: { fields: "user" },
  });
  console.log(result.user.displayName);
});
