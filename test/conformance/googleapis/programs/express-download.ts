import http from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { google } from "googleapis";

const drive = google.drive({ version: "v3", auth: "key" });
const app = express();

app.get("/files/:id", async (req, res, next) => {
  try {
    const meta = await drive.files.get({
      fileId: req.params.id,
      fields: "name, mimeType, size",
    });
    const content = await drive.files.get(
      { fileId: req.params.id, alt: "media" },
      { responseType: "stream" },
    );
    res.type(meta.data.mimeType || "application/octet-stream");
    res.attachment(meta.data.name || "file");
    content.data.on("error", next).pipe(res);
  } catch (err: any) {
    if (err.code === 404) {
      res.status(404).json({ error: "not found" });
    } else {
      next(err);
    }
  }
});

const server = app.listen(0, "127.0.0.1", async () => {
  const { port } = server.address() as AddressInfo;
  for (const id of ["a", "missing"])
    await new Promise<void>((resolve) => {
      http.get(`http://127.0.0.1:${port}/files/${id}`, (res) => {
        let text = "";
        res.on("data", (chunk) => (text += chunk));
        res.on("end", () => {
          console.log(res.statusCode, text);
          resolve();
        });
      });
    });
  server.close();
});
