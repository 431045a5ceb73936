import { google } from "googleapis";
import type { sheets_v4 } from "googleapis";

enum Render {
  Formatted = "FORMATTED_VALUE",
  Raw = "UNFORMATTED_VALUE",
}

export abstract class Repository<T extends Record<string, unknown>> {
  protected readonly sheets = google.sheets({
    version: "v4",
    auth: new google.auth.GoogleAuth({
      scopes: ["https://www.googleapis.com/auth/spreadsheets"],
      keyFile: "key.json",
    }),
  });
  protected constructor(
    private readonly id: string,
    private readonly tab: string,
  ) {}
  protected abstract parse(row: unknown[]): T;

  async all(): Promise<T[]> {
    const params: sheets_v4.Params$Resource$Spreadsheets$Values$Get = {
      spreadsheetId: this.id,
      range: this.tab,
    };
    params.valueRenderOption = Render.Raw;
    const { values } = (await this.sheets.spreadsheets.values.get(params)).data;
    return (values ?? []).map((row) => this.parse(row));
  }

  async save(rows: T[]): Promise<number> {
    const body: sheets_v4.Schema$BatchUpdateValuesRequest = {
      valueInputOption: "RAW",
      data: rows.map((row, i) => ({
        range: `${this.tab}!A${i + 1}`,
        values: [Object.values(row)],
      })),
    };
    const res = await this.sheets.spreadsheets.values.batchUpdate({
      spreadsheetId: this.id,
      requestBody: body,
    });
    return res.data.totalUpdatedCells ?? 0;
  }

  clear = () =>
    this.sheets.spreadsheets.values.clear({
      spreadsheetId: this.id,
      range: this.tab,
    });
}

class People extends Repository<{ name: string; age: number }> {
  constructor() {
    super("s", "People");
  }
  protected parse(row: unknown[]) {
    return { name: String(row[0]), age: Number(row[1]) };
  }
}

const people = new People();
console.log((await people.all()).length);
console.log(await people.save([{ name: "A", age: 1 }]));
const cleared = await people.clear();
console.log(cleared.data.clearedRange, cleared.status);
