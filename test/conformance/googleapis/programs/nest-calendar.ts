import { calendar_v3, google } from "googleapis";

function Injectable(): ClassDecorator {
  return () => undefined;
}

interface Settings {
  readonly clientEmail: string;
  readonly privateKey: string;
  readonly calendarId: string;
}

@Injectable()
export class CalendarService {
  private readonly calendar: calendar_v3.Calendar;

  constructor(private readonly settings: Settings) {
    const auth = new google.auth.JWT({
      email: settings.clientEmail,
      key: settings.privateKey.replace(/\\n/g, "\n"),
      scopes: ["https://www.googleapis.com/auth/calendar"],
      subject: "admin@example.com",
    });
    this.calendar = google.calendar({ version: "v3", auth });
  }

  async createMeeting(
    dto: Pick<calendar_v3.Schema$Event, "summary" | "start" | "end">,
  ): Promise<calendar_v3.Schema$Event> {
    const { data } = await this.calendar.events.insert({
      calendarId: this.settings.calendarId,
      conferenceDataVersion: 1,
      requestBody: {
        ...dto,
        conferenceData: { createRequest: { requestId: "fixed" } },
      },
    });
    return data;
  }

  async isBusy(from: string, to: string): Promise<boolean> {
    const res = await this.calendar.freebusy.query({
      requestBody: {
        timeMin: from,
        timeMax: to,
        items: [{ id: this.settings.calendarId }],
      },
    });
    const busy = res.data.calendars?.[this.settings.calendarId]?.busy ?? [];
    return busy.length > 0;
  }

  async cancel(eventId: string): Promise<void> {
    await this.calendar.events.delete({
      calendarId: this.settings.calendarId,
      eventId,
    });
  }
}

const service = new CalendarService({
  clientEmail: "robot@project.iam.gserviceaccount.com",
  privateKey: process.env.PRIVATE_KEY!,
  calendarId: "primary",
});
const meeting = await service.createMeeting({
  summary: "Planning",
  start: { dateTime: "2026-01-01T10:00:00Z" },
  end: { dateTime: "2026-01-01T11:00:00Z" },
});
console.log(meeting.id);
console.log(
  await service.isBusy("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"),
);
await service.cancel("e1");
