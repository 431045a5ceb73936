import { google } from "googleapis";

const drive = google.drive({
  version: "v3",
  auth: "key",
  timeout: 20_000,
  params: { quotaUser: "user-1" },
  headers: { "x-team": "blue" },
  userAgentDirectives: [{ product: "tool", version: "1.0" }],
});

const res = await drive.files.list(
  { q: "trashed = true", fields: "files/id", prettyPrint: false },
  {
    headers: { "x-trace": "42" },
    params: { pageSize: 5 },
    timeout: 10_000,
    retry: true,
    retryConfig: { retry: 2, retryDelay: 10, statusCodesToRetry: [[500, 599]] },
  },
);
console.log(
  res.data.files?.length,
  new Headers(res.headers as any).get("content-type"),
);
const slides = await drive.files.get(
  { fileId: "a" },
  { http2: false, validateStatus: (status) => status < 500 },
);
console.log(slides.status, slides.data.id);
