import { google } from "googleapis";

const sheets = google.sheets({ version: "v4", auth: "key" });
const response = await sheets.spreadsheets.values.get({
  spreadsheetId: "s",
  range: "A1:B2",
});
const rows = response.data.values;
console.log(rows?.length ?? 0);
await sheets.spreadsheets.values.update({
  spreadsheetId: "s",
  range: "A1",
  valueInputOption: "RAW",
  requestBody: { values: [["a", 1]] },
});
