const { google } = require("googleapis");
const key = require(process.env.FOLDER + "/key.json");

const SCOPES = ["https://www.googleapis.com/auth/calendar.readonly"];
const jwtClient = new google.auth.JWT({
  email: key.client_email,
  key: key.private_key,
  scopes: SCOPES,
});

jwtClient.authorize(function (err, tokens) {
  if (err) {
    console.log(err);
    return;
  }
  console.log("Successfully connected!", tokens.token_type);
  const calendar = google.calendar("v3");
  calendar.calendarList.list({ auth: jwtClient }, (error, response) => {
    if (error) {
      console.log("The API returned an error: " + error);
      return;
    }
    for (const item of response.data.items) console.log(item.id);
  });
});
