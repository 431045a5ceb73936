import { google } from "googleapis";

interface Page {
  nextPageToken?: string | null;
}

async function* paginate<P extends { pageToken?: string }, R extends Page>(
  call: (params: P) => Promise<{ data: R }>,
  params: P,
): AsyncGenerator<R> {
  let pageToken: string | undefined;
  do {
    const { data } = await call({ ...params, pageToken });
    yield data;
    pageToken = data.nextPageToken ?? undefined;
  } while (pageToken);
}

const drive = google.drive({ version: "v3", auth: "k" });
let n = 0;
for await (const page of paginate(
  (p: { pageToken?: string; q: string }) => drive.files.list(p),
  { q: "trashed=true" },
))
  n += page.files?.length ?? 0;
console.log(n);
