import { bigquery_v2, google } from "googleapis";

const bigquery = google.bigquery({
  version: "v2",
  auth: new google.auth.GoogleAuth({
    scopes: ["https://www.googleapis.com/auth/bigquery"],
  }),
});

async function runQuery(projectId: string, query: string) {
  const job = await bigquery.jobs.insert({
    projectId,
    requestBody: {
      configuration: { query: { query, useLegacySql: false } },
      jobReference: { projectId, location: "EU" },
    },
  });
  const jobId = job.data.jobReference?.jobId ?? "job";
  const rows: bigquery_v2.Schema$TableRow[] = [];
  let pageToken: string | undefined;
  do {
    const page: bigquery_v2.Schema$GetQueryResultsResponse = (
      await bigquery.jobs.getQueryResults({
        projectId,
        jobId,
        location: "EU",
        pageToken,
        maxResults: 500,
      })
    ).data;
    rows.push(...(page.rows ?? []));
    pageToken = page.pageToken ?? undefined;
  } while (pageToken);
  return rows;
}

const rows = await runQuery("p", "SELECT name FROM t");
console.log(rows.length);
const tables = await bigquery.tables.list({ projectId: "p", datasetId: "d" });
console.log(tables.data.totalItems ?? 0);
await bigquery.tabledata.insertAll({
  projectId: "p",
  datasetId: "d",
  tableId: "t",
  requestBody: { rows: [{ insertId: "1", json: { name: "Ada" } }] },
});
