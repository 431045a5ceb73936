import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { google } from "googleapis";

const youtube = google.youtube({ version: "v3", auth: "key" });

async function runSample(fileName: string) {
  const fileSize = fs.statSync(fileName).size;
  const res = await youtube.videos.insert(
    {
      part: ["id", "snippet", "status"],
      notifySubscribers: false,
      requestBody: {
        snippet: { title: "Upload test", description: "A description" },
        status: { privacyStatus: "private" },
      },
      media: {
        body: fs.createReadStream(fileName),
      },
    },
    {
      onUploadProgress: (evt) => {
        const progress = (evt.bytesRead / fileSize) * 100;
        readline.clearLine(process.stdout, 0);
        if (progress > 100) console.log(`${Math.round(progress)}% complete`);
      },
    },
  );
  console.log(res.data.id);
  return res.data;
}

const file = path.join(process.env.FOLDER!, "video.mp4");
fs.writeFileSync(file, "0".repeat(1000));
await runSample(file);
