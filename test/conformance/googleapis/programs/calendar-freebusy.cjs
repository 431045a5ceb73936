const { google } = require("googleapis");
const { OAuth2 } = google.auth;

const oAuth2Client = new OAuth2("client-id", "client-secret");
oAuth2Client.setCredentials({ refresh_token: "refresh" });

const calendar = google.calendar({ version: "v3", auth: oAuth2Client });

const eventStartTime = new Date("2030-01-02T10:00:00Z");
const eventEndTime = new Date("2030-01-02T10:45:00Z");

const event = {
  summary: `Meeting with David`,
  location: `295 California St`,
  description: `Meet`,
  colorId: 1,
  start: { dateTime: eventStartTime, timeZone: "America/Denver" },
  end: { dateTime: eventEndTime, timeZone: "America/Denver" },
};

// Check if we are busy and have an event on our calendar for the same time.
calendar.freebusy.query(
  {
    resource: {
      timeMin: eventStartTime,
      timeMax: eventEndTime,
      timeZone: "America/Denver",
      items: [{ id: "primary" }],
    },
  },
  (err, res) => {
    if (err) return console.error("Free Busy Query Error: ", err);
    const eventArr = (res.data.calendars || { primary: { busy: [] } }).primary
      .busy;
    if (eventArr.length === 0)
      return calendar.events.insert(
        { calendarId: "primary", resource: event },
        (err) => {
          if (err) return console.error("Error Creating Calender Event:", err);
          return console.log("Calendar event successfully created.");
        },
      );
    return console.log(`Sorry I'm busy...`);
  },
);
