import { readFileSync } from "node:fs";
import { google } from "googleapis";

const key = JSON.parse(readFileSync(`${process.env.FOLDER}/key.json`, "utf8"));

function clientFor(user: string) {
  const auth = new google.auth.JWT({
    email: key.client_email,
    key: key.private_key,
    scopes: ["https://www.googleapis.com/auth/gmail.settings.basic"],
    subject: user,
  });
  return google.gmail({ version: "v1", auth });
}

for (const user of ["a@example.com", "b@example.com"]) {
  const gmail = clientFor(user);
  const { data } = await gmail.users.settings.getVacation({ userId: user });
  if (data.enableAutoReply) continue;
  await gmail.users.settings.updateVacation({
    userId: user,
    requestBody: { enableAutoReply: true, responseSubject: "Away" },
  });
  console.log("updated", user);
}
