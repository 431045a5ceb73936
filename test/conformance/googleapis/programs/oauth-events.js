import { google } from "googleapis";

const client = new google.auth.OAuth2({
  clientId: "client",
  clientSecret: "secret",
  redirectUri: "http://localhost:3000/oauth2callback",
});
client.on("tokens", (tokens) => {
  if (tokens.refresh_token) console.log("store", tokens.refresh_token);
  console.log("new access token");
});
client.setCredentials({ refresh_token: "stored" });
google.options({ auth: client });

const people = google.people("v1");
const res = await people.people.get({
  resourceName: "people/me",
  personFields: "emailAddresses",
});
console.log(res.data.resourceName ?? "me");
