import { google, type Auth } from "googleapis";

interface Session {
  tokens?: Auth.Credentials;
}

const oauth2Client = new google.auth.OAuth2(
  "client-id",
  "client-secret",
  "https://example.com/oauth2callback",
);
const scopes = ["openid", "https://www.googleapis.com/auth/drive.file"];

export function login(): string {
  return oauth2Client.generateAuthUrl({
    access_type: "offline",
    scope: scopes,
    include_granted_scopes: true,
    state: "state",
  });
}

export async function callback(code: string, session: Session) {
  const { tokens } = await oauth2Client.getToken(code);
  oauth2Client.setCredentials(tokens);
  session.tokens = tokens;
  const drive = google.drive({ version: "v3", auth: oauth2Client });
  const about = await drive.about.get({ fields: "user, storageQuota" });
  return about.data.user?.displayName;
}

console.log(new URL(login()).searchParams.get("client_id"));
const session: Session = {};
console.log(await callback("code", session));
console.log(session.tokens?.token_type);
