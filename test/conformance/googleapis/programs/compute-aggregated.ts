import { google, compute_v1 } from "googleapis";

async function main(): Promise<void> {
  const auth = new google.auth.GoogleAuth({
    scopes: ["https://www.googleapis.com/auth/cloud-platform"],
  });
  const authClient = await auth.getClient();
  const project = await auth.getProjectId();
  const compute = google.compute({ version: "v1", auth: authClient as any });

  const zones = new Map<string, compute_v1.Schema$Instance[]>();
  let request: compute_v1.Params$Resource$Instances$Aggregatedlist = {
    project,
    maxResults: 50,
  };
  let response: compute_v1.Schema$InstanceAggregatedList;
  do {
    response = (await compute.instances.aggregatedList(request)).data;
    for (const [zone, scoped] of Object.entries(response.items ?? {})) {
      zones.set(zone, [
        ...(zones.get(zone) ?? []),
        ...(scoped.instances ?? []),
      ]);
    }
    request = { ...request, pageToken: response.nextPageToken ?? undefined };
  } while (response.nextPageToken);
  console.log([...zones].map(([zone, list]) => `${zone}: ${list.length}`));
}

main().catch(console.error);
