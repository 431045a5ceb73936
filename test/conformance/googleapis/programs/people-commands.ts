import { parseArgs } from "node:util";
import { google } from "googleapis";

const { positionals } = parseArgs({
  args: ["list", "3"],
  allowPositionals: true,
});
const people = google.people({
  version: "v1",
  auth: new google.auth.GoogleAuth({
    scopes: ["https://www.googleapis.com/auth/contacts"],
  }),
});

const commands: Record<string, (...args: string[]) => Promise<unknown>> = {
  list: async (n) => {
    const { data } = await people.people.connections.list({
      resourceName: "people/me",
      pageSize: Number(n),
      personFields: "names",
      sortOrder: "LAST_NAME_ASCENDING",
    });
    return data.connections?.length;
  },
  create: async (givenName, email) => {
    const res = await people.people.createContact({
      personFields: "names",
      requestBody: {
        names: [{ givenName }],
        emailAddresses: [{ value: email }],
      },
    });
    return res.data.resourceName;
  },
  async remove(resourceName) {
    return people.people.deleteContact({ resourceName: resourceName! });
  },
};

const [command, ...rest] = positionals;
console.log(await commands[command!]!(...rest));
console.log(await commands["create"]!("Ada", "a@example.com"));
const removed = (await commands["remove"]!("people/c1")) as { status: number };
console.log(removed.status);
