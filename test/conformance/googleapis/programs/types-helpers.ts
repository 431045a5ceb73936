import type { GaxiosPromise, GaxiosResponse } from "gaxios";
import { drive_v3, google, sheets_v4 } from "googleapis";

type ListParams = drive_v3.Params$Resource$Files$List;

interface Clients {
  drive: drive_v3.Drive;
  sheets: sheets_v4.Sheets;
}

const clients: Clients = {
  drive: google.drive({ version: "v3", auth: "key" }),
  sheets: google.sheets({ version: "v4", auth: "key" }),
};

function list(
  files: drive_v3.Resource$Files,
  params: ListParams,
): GaxiosPromise<drive_v3.Schema$FileList> {
  return files.list(params) as any;
}

function namesOf(res: GaxiosResponse<drive_v3.Schema$FileList>): string[] {
  return res.data.files?.map((file) => file.name ?? "") ?? [];
}

console.log(namesOf((await list(clients.drive.files, { pageSize: 3 })) as any));
const rows: sheets_v4.Schema$ValueRange = (
  await clients.sheets.spreadsheets.values.get({
    spreadsheetId: "s",
    range: "A1",
  })
).data;
console.log(rows.range ?? "A1");
