import { google } from "googleapis";

const service = google.youtube("v3");

function getChannel(auth, name) {
  service.channels.list(
    {
      auth: auth,
      part: "snippet,contentDetails,statistics",
      forUsername: name,
    },
    function (err, response) {
      if (err) {
        console.log("The API returned an error: " + err);
        return;
      }
      const channels = response.data.items;
      if (channels.length == 0) {
        console.log("No channel found.");
      } else {
        console.log("This channel's ID is %s.", channels[0].id);
        service.playlistItems.list(
          { auth, part: ["snippet"], playlistId: channels[0].id },
          (error, res) => {
            if (error) throw error;
            console.log(res.data.items.length, "videos");
          },
        );
      }
    },
  );
}

getChannel(process.env.API_KEY, "GoogleDevelopers");
