const { google } = require("googleapis");
const cloudresourcemanager = google.cloudresourcemanager("v1");

async function main() {
  const authClient = await authorize();
  const request = {
    // TODO: filter
    filter: "lifecycleState:ACTIVE",
    auth: authClient,
  };

  let response;
  do {
    if (response && response.nextPageToken) {
      request.pageToken = response.nextPageToken;
    }
    response = (await cloudresourcemanager.projects.list(request)).data;
    const projectsPage = response.projects;
    if (projectsPage) {
      for (let i = 0; i < projectsPage.length; i++) {
        console.log(JSON.stringify(projectsPage[i], null, 2));
      }
    }
  } while (response.nextPageToken);
}
main();

async function authorize() {
  const auth = new google.auth.GoogleAuth({
    scopes: ["https://www.googleapis.com/auth/cloud-platform"],
  });
  return await auth.getClient();
}
