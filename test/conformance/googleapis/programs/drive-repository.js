import { google } from "googleapis";

/** Constructor and functions receive the client without a type. */
class FileRepository {
  constructor(drive, { pageSize = 2 } = {}) {
    this.drive = drive;
    this.pageSize = pageSize;
  }

  async list(q) {
    const res = await this.drive.files.list({ q, pageSize: this.pageSize });
    return res.data.files;
  }

  async rename(fileId, name) {
    const { data } = await this.drive.files.update({
      fileId,
      resource: { name },
    });
    return data.id;
  }
}

async function names(drive) {
  const response = await drive.files.list({});
  return response.data.files.map((file) => file.name);
}

const get = ({ drive }, fileId) =>
  drive.files.get({ fileId }).then(({ data }) => data);

async function limited(run) {
  await null;
  return run();
}

const drive = google.drive({ version: "v3", auth: process.env.API_KEY });
const repository = new FileRepository(drive);
console.log(await repository.list("trashed = false"));
console.log(await repository.rename("a", "b"));
console.log(await names(drive), (await get({ drive }, "x")).id);
const all = await Promise.all(
  ["a", "b"].map((fileId) => limited(() => drive.files.get({ fileId }))),
);
console.log(all.map((one) => one.data.name));
for (const one of all) console.log(one.data.id);
const [{ data: first }] = await Promise.all([drive.files.get({ fileId: "a" })]);
console.log(first.id);
const other = await limited(() => Promise.resolve({ data: "kept" }));
console.log(other.data);
