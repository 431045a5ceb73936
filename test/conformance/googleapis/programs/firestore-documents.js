import { google } from "googleapis";

const firestore = google.firestore({ version: "v1", auth: "key" });
const parent = "projects/p/databases/(default)/documents";

const created = await firestore.projects.databases.documents.createDocument({
  parent,
  collectionId: "users",
  documentId: "ada",
  requestBody: { fields: { name: { stringValue: "Ada" } } },
});
console.log(created.data.name);
const patched = await firestore.projects.databases.documents.patch({
  name: `${parent}/users/ada`,
  "updateMask.fieldPaths": ["name"],
  requestBody: { fields: { name: { stringValue: "Ada L." } } },
});
console.log(patched.data.name);
