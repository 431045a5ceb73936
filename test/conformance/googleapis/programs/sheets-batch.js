import { google } from "googleapis";

async function batchUpdate(spreadsheetId, title, find, replacement) {
  const auth = new google.auth.GoogleAuth({
    scopes: "https://www.googleapis.com/auth/spreadsheets",
  });

  const service = google.sheets({ version: "v4", auth });
  const requests = [];
  requests.push({
    updateSpreadsheetProperties: {
      properties: { title },
      fields: "title",
    },
  });
  requests.push({
    findReplace: { find, replacement, allSheets: true },
  });
  const batchUpdateRequest = { requests };
  try {
    const response = await service.spreadsheets.batchUpdate({
      spreadsheetId,
      resource: batchUpdateRequest,
    });
    const findReplaceResponse = response.data.replies?.[1]?.findReplace;
    console.log(
      `${findReplaceResponse?.occurrencesChanged} replacements made.`,
    );
    return response;
  } catch (err) {
    // TODO (developer) - Handle exception
    throw err;
  }
}

await batchUpdate("sheet", "Title", "a", "b");
