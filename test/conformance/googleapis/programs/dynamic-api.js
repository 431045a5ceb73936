import { google } from "googleapis";

const SUPPORTED = { drive: "v3", tasks: "v1" };

function clientFor(name) {
  return google[name]({ version: SUPPORTED[name], auth: "key" });
}

const drive = clientFor("drive");
const res = await drive.files.list({ pageSize: 1 });
console.log(res.data.files.length);
