import { google, cloudresourcemanager_v1 } from "googleapis";

async function main() {
  const auth = new google.auth.GoogleAuth({
    scopes: "https://www.googleapis.com/auth/cloud-platform",
  });
  const crm = google.cloudresourcemanager({ version: "v1", auth });
  const projects: cloudresourcemanager_v1.Schema$Project[] = [];
  let request: cloudresourcemanager_v1.Params$Resource$Projects$List = {
    filter: "lifecycleState:ACTIVE",
  };
  do {
    const response = (await crm.projects.list(request)).data;
    projects.push(...(response.projects ?? []));
    request = { ...request, pageToken: response.nextPageToken ?? undefined };
  } while (request.pageToken);
  console.log(projects.length);

  const policy = await crm.projects.getIamPolicy({
    resource: "my-project",
    requestBody: { options: { requestedPolicyVersion: 3 } },
  });
  const bindings = policy.data.bindings ?? [];
  bindings.push({ role: "roles/viewer", members: ["user:a@example.com"] });
  const updated = await crm.projects.setIamPolicy({
    resource: "my-project",
    requestBody: { policy: { ...policy.data, bindings } },
  });
  console.log(updated.status, updated.data.etag);
}

main().catch((e) => {
  console.error(e);
  process.exit(1);
});
