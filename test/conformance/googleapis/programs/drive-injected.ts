import { Readable } from "node:stream";
import { drive_v3, google } from "googleapis";

export interface Storage {
  put(name: string, content: string): Promise<string>;
  read(id: string): Promise<string>;
  remove(id: string): Promise<boolean>;
}

export class DriveStorage implements Storage {
  constructor(
    private readonly drive: drive_v3.Drive,
    private readonly parent: string,
  ) {}

  async put(name: string, content: string): Promise<string> {
    const res = await this.drive.files.create({
      requestBody: { name, parents: [this.parent] },
      media: { mimeType: "text/plain", body: Readable.from([content]) },
      fields: "id",
    });
    return res.data.id!;
  }

  async read(id: string): Promise<string> {
    const res = await this.drive.files.get(
      { fileId: id, alt: "media" },
      { responseType: "text" },
    );
    return res.data as unknown as string;
  }

  async remove(id: string): Promise<boolean> {
    try {
      const { status } = await this.drive.files.delete({ fileId: id });
      return status === 204 || status === 200;
    } catch (error) {
      if ((error as { code?: number }).code === 404) return false;
      throw error;
    }
  }
}

const storage: Storage = new DriveStorage(
  google.drive({ version: "v3", auth: "key" }),
  "folder",
);
console.log(await storage.put("a.txt", "hello"));
console.log(await storage.read("a"));
console.log(await storage.remove("a"), await storage.remove("missing"));
