/* exported gapiLoaded, gisLoaded */
const CLIENT_ID = "client.apps.googleusercontent.com";
const API_KEY = "key";
const DISCOVERY_DOC =
  "https://www.googleapis.com/discovery/v1/apis/drive/v3/rest";
const SCOPES = "https://www.googleapis.com/auth/drive.metadata.readonly";

let tokenClient;

function gapiLoaded() {
  gapi.load("client", initializeGapiClient);
}

async function initializeGapiClient() {
  await gapi.client.init({
    apiKey: API_KEY,
    discoveryDocs: [DISCOVERY_DOC],
  });
  gisLoaded();
  handleAuthClick();
}

function gisLoaded() {
  tokenClient = google.accounts.oauth2.initTokenClient({
    client_id: CLIENT_ID,
    scope: SCOPES,
    callback: "",
  });
}

function handleAuthClick() {
  tokenClient.callback = async (resp) => {
    if (resp.error !== undefined) {
      throw resp;
    }
    await listFiles();
  };
  if (gapi.client.getToken() === null) {
    tokenClient.requestAccessToken({ prompt: "consent" });
  } else {
    tokenClient.requestAccessToken({ prompt: "" });
  }
}

async function listFiles() {
  let response;
  try {
    response = await gapi.client.drive.files.list({
      pageSize: 10,
      fields: "files(id, name)",
    });
  } catch (err) {
    console.log(err.message);
    return;
  }
  const files = response.result.files;
  if (!files || files.length == 0) {
    console.log("No files found.");
    return;
  }
  const output = files.reduce(
    (str, file) => `${str}${file.name} (${file.id})\n`,
    "Files:\n",
  );
  console.log(output);
}

gapiLoaded();
