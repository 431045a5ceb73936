import { google, sheets_v4 } from "googleapis";
import type { GoogleAuth } from "google-auth-library";

export class SheetRepository {
  private readonly sheets: sheets_v4.Sheets;

  constructor(
    auth: GoogleAuth,
    private readonly spreadsheetId: string,
  ) {
    this.sheets = google.sheets({ version: "v4", auth });
  }

  async rows(range: string): Promise<string[][]> {
    const { data } = await this.sheets.spreadsheets.values.get({
      spreadsheetId: this.spreadsheetId,
      range,
      valueRenderOption: "UNFORMATTED_VALUE",
    });
    return (data.values as string[][] | undefined) ?? [];
  }

  async append(range: string, values: unknown[][]): Promise<number> {
    const response = await this.sheets.spreadsheets.values.append({
      spreadsheetId: this.spreadsheetId,
      range,
      valueInputOption: "USER_ENTERED",
      insertDataOption: "INSERT_ROWS",
      requestBody: { values },
    });
    return response.data.updates?.updatedRows ?? 0;
  }

  async addSheet(title: string): Promise<number | null | undefined> {
    const res = await this.sheets.spreadsheets.batchUpdate({
      spreadsheetId: this.spreadsheetId,
      requestBody: { requests: [{ addSheet: { properties: { title } } }] },
    });
    return res.data.replies?.[0]?.addSheet?.properties?.sheetId;
  }
}

const repository = new SheetRepository(
  new google.auth.GoogleAuth({
    keyFile: `${process.env.FOLDER}/key.json`,
    scopes: ["https://www.googleapis.com/auth/spreadsheets"],
  }),
  "sheet-id",
);
console.log(await repository.rows("Sheet1!A1:C"));
console.log(await repository.append("Sheet1!A1", [["a", 1, true]]));
console.log(await repository.addSheet("2026"));
