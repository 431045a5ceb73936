import { google } from "googleapis";

const gmail = google.gmail("v1");

async function sendMail(to: string, subject: string, body: string) {
  const auth = new google.auth.GoogleAuth({
    keyFile: `${process.env.FOLDER}/key.json`,
    scopes: [
      "https://mail.google.com/",
      "https://www.googleapis.com/auth/gmail.send",
    ],
  });
  google.options({ auth });
  const utf8Subject = `=?utf-8?B?${Buffer.from(subject).toString("base64")}?=`;
  const messageParts = [
    `To: ${to}`,
    "Content-Type: text/html; charset=utf-8",
    "MIME-Version: 1.0",
    `Subject: ${utf8Subject}`,
    "",
    body,
  ];
  const raw = Buffer.from(messageParts.join("\n"))
    .toString("base64")
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
  const res = await gmail.users.messages.send({
    userId: "me",
    requestBody: { raw },
  });
  return res.data;
}

console.log((await sendMail("a@example.com", "Grüße", "<b>Hi</b>")).id);
