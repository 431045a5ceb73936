import { dns_v1, google } from "googleapis";

const dns = google.dns({ version: "v1", auth: "key" });
const target = { project: "p", managedZone: "example-com" };

async function upsert(record: dns_v1.Schema$ResourceRecordSet) {
  const existing = await dns.resourceRecordSets.list({
    ...target,
    name: record.name ?? undefined,
    type: record.type ?? undefined,
  });
  const { data: change } = await dns.changes.create({
    ...target,
    requestBody: {
      additions: [record],
      deletions: existing.data.rrsets ?? [],
    },
  });
  return change;
}

const change = await upsert({
  name: "www.example.com.",
  type: "A",
  ttl: 300,
  rrdatas: ["192.0.2.1"],
});
console.log(change.id, change.status ?? "pending");
