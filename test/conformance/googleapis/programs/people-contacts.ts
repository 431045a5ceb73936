import { google } from "googleapis";

const people = google.people({ version: "v1", auth: "key" });
const me = await people.people.get({
  resourceName: "people/me",
  personFields: "names",
});
console.log(me.data.resourceName ?? "none");
const created = await people.people.createContact(
  { requestBody: { names: [{ givenName: "Ada" }] } },
  { timeout: 5000 },
);
console.log(created.status);
