function start() {
  gapi.client
    .init({
      apiKey: "key",
      discoveryDocs: [
        "https://people.googleapis.com/$discovery/rest?version=v1",
      ],
    })
    .then(function () {
      return gapi.client.people.people.get({
        resourceName: "people/me",
        personFields: "names",
      });
    })
    .then(
      function (response) {
        console.log(response.status, response.result.resourceName || "me");
      },
      function (reason) {
        console.log("Error: " + reason.result.error.message);
      },
    );
}

gapi.load("client", start);
