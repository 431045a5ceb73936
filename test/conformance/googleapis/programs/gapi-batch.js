async function main() {
  await gapi.client.init({ apiKey: "key" });
  await gapi.client.load(
    "https://www.googleapis.com/discovery/v1/apis/calendar/v3/rest",
  );
  const batch = gapi.client.newBatch();
  for (const eventId of ["a", "b"]) {
    batch.add(
      gapi.client.calendar.events.get({ calendarId: "primary", eventId }),
      { id: eventId },
    );
  }
  const { result } = await batch;
  for (const id of Object.keys(result)) console.log(id, result[id].status);
}

gapi.load("client", main);
