import { google, calendar_v3, Common } from "googleapis";

export class CalendarClient {
  private api = google.calendar({
    version: "v3",
    auth: process.env["API_KEY"],
  });

  getEvent(
    eventId: string,
  ): Promise<Common.GaxiosResponseWithHTTP2<calendar_v3.Schema$Event>> {
    return this.api.events.get({ calendarId: "primary", eventId });
  }

  async deleteEvent(eventId: string) {
    const response = await this.api.events.delete({
      calendarId: "primary",
      eventId,
    });
    return response.status === 200 || response.status === 204;
  }

  patch(eventId: string, changes: Partial<calendar_v3.Schema$Event>) {
    return this.api.events
      .patch({ calendarId: "primary", eventId, requestBody: changes })
      .then(({ data }) => data);
  }
}

const client = new CalendarClient();
const response = await client.getEvent("e1");
console.log(response.status, response.data.id);
console.log(await client.deleteEvent("e1"));
const event = await client.patch("e1", { summary: "renamed" });
console.log(event.id);
