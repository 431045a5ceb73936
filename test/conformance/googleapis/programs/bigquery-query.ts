import { google } from "googleapis";

const bigquery = google.bigquery({ version: "v2", auth: "key" });
const job = await bigquery.jobs.query({
  projectId: "p",
  requestBody: { query: "SELECT 1", useLegacySql: false },
});
console.log(job.data.jobComplete ?? false);
const datasets = await bigquery.datasets.list({ projectId: "p", all: true });
console.log(Object.keys(datasets.data).length > 0);
