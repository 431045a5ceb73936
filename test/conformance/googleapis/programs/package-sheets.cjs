const sheets = require("@googleapis/sheets");

const auth = new sheets.auth.GoogleAuth({
  keyFilename: `${process.env.FOLDER}/key.json`,
  scopes: ["https://www.googleapis.com/auth/spreadsheets"],
});

async function main() {
  const authClient = await auth.getClient();
  const client = await sheets.sheets({
    version: "v4",
    auth: authClient,
  });
  const createResponse = await client.spreadsheets.create({
    requestBody: { properties: { title: "Test" } },
  });
  console.log(createResponse.data);
}

main();
