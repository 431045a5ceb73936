import { google, searchconsole_v1 } from "googleapis";

const searchconsole = google.searchconsole("v1");

async function query(
  siteUrl: string,
  dimensions: string[],
): Promise<searchconsole_v1.Schema$ApiDataRow[]> {
  const rowLimit = 1;
  const rows: searchconsole_v1.Schema$ApiDataRow[] = [];
  for (let startRow = 0; startRow < 2; startRow += rowLimit) {
    const res = await searchconsole.searchanalytics.query({
      auth: process.env.API_KEY,
      siteUrl,
      requestBody: {
        startDate: "2026-01-01",
        endDate: "2026-01-31",
        dimensions,
        rowLimit,
        startRow,
      },
    });
    if (!res.data.rows?.length) break;
    rows.push(...res.data.rows);
  }
  return rows;
}

const rows = await query("https://www.example.com/", ["query", "page"]);
console.log(rows.map(({ keys, clicks }) => `${keys}: ${clicks}`));
