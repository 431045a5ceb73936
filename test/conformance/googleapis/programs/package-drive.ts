import { auth, drive, type drive_v3 } from "@googleapis/drive";

const client: drive_v3.Drive = drive({
  version: "v3",
  auth: new auth.GoogleAuth({
    scopes: ["https://www.googleapis.com/auth/drive.metadata.readonly"],
  }),
});

const names = async (query: string): Promise<string[]> => {
  const { data } = await client.files.list({ q: query, orderBy: "name" });
  return (data.files ?? []).flatMap(({ name }) => (name ? [name] : []));
};

console.log((await names("starred")).join("\n"));
