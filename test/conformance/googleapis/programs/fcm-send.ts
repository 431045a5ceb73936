import { google } from "googleapis";

const messaging = google.fcm("v1");

export async function notify(token: string, title: string, body: string) {
  const auth = new google.auth.GoogleAuth({
    credentials: {
      client_email: "robot@p.iam.gserviceaccount.com",
      private_key: process.env.PRIVATE_KEY,
    },
    scopes: ["https://www.googleapis.com/auth/firebase.messaging"],
  });
  const { data } = await messaging.projects.messages.send({
    auth,
    parent: "projects/p",
    requestBody: { message: { token, notification: { title, body } } },
  });
  return data.name;
}

console.log(await notify("device", "Hello", "World"));
