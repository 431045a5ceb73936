const fs = require("fs");
const { google } = require("googleapis");
const drive = google.drive({ version: "v3", auth: "key" });

function download(fileId, target) {
  return new Promise((resolve, reject) => {
    const dest = fs.createWriteStream(target);
    drive.files.get(
      { fileId, alt: "media" },
      { responseType: "stream" },
      (err, res) => {
        if (err) return reject(err);
        res.data
          .on("end", () => console.log("done"))
          .on("error", reject)
          .pipe(dest)
          .on("finish", resolve);
      },
    );
  });
}

const file = process.env.FOLDER + "/copy.txt";
download("a", file).then(() => {
  console.log(fs.readFileSync(file, "utf8"));
});
