import { google, calendar_v3, Auth } from "googleapis";

// Decorators as NestJS has them.
function Injectable(): ClassDecorator {
  return () => undefined;
}
class Logger {
  constructor(private readonly ctx: string) {}
  log(m: string) {
    console.log(`[${this.ctx}] ${m}`);
  }
  error(m: string, _trace?: string) {
    console.log(`[${this.ctx}] ERROR ${m}`);
  }
}
class NotFoundException extends Error {}

export interface ConfigService {
  get<T = string>(key: string): T;
}

@Injectable()
export class CalendarService {
  private readonly logger = new Logger(CalendarService.name);
  private calendar!: calendar_v3.Calendar;
  private readonly auth: Auth.OAuth2Client;

  constructor(private readonly config: ConfigService) {
    this.auth = new google.auth.OAuth2({
      clientId: this.config.get("GOOGLE_CLIENT_ID"),
      clientSecret: this.config.get("GOOGLE_CLIENT_SECRET"),
    });
    this.auth.setCredentials({
      refresh_token: this.config.get("GOOGLE_REFRESH_TOKEN"),
    });
  }

  onModuleInit() {
    this.calendar = google.calendar({ version: "v3", auth: this.auth });
  }

  async findAll(calendarId: string): Promise<calendar_v3.Schema$Event[]> {
    const params: calendar_v3.Params$Resource$Events$List = {
      calendarId,
      singleEvents: true,
      maxResults: 50,
    };
    const response = await this.calendar.events.list(params);
    return response.data.items || [];
  }

  async findOne(
    calendarId: string,
    eventId: string,
  ): Promise<calendar_v3.Schema$Event> {
    try {
      const { data } = await this.calendar.events.get({ calendarId, eventId });
      return data;
    } catch (error: any) {
      if (error.response?.status === 404) {
        throw new NotFoundException(`Event ${eventId} not found`);
      }
      this.logger.error(error.message, error.stack);
      throw error;
    }
  }

  async move(eventId: string, destination: string): Promise<void> {
    await this.calendar.events.move({
      calendarId: "primary",
      eventId,
      destination,
    });
    this.logger.log(`moved ${eventId}`);
  }
}

const env: Record<string, string> = {
  GOOGLE_CLIENT_ID: "id",
  GOOGLE_CLIENT_SECRET: "s",
  GOOGLE_REFRESH_TOKEN: "rt",
};
const service = new CalendarService({
  get: <T>(k: string) => env[k] as unknown as T,
});
service.onModuleInit();
console.log((await service.findAll("team@example.com")).length);
console.log((await service.findOne("primary", "e1")).id);
try {
  await service.findOne("primary", "missing");
} catch (e) {
  console.log(e instanceof NotFoundException, (e as Error).message);
}
await service.move("e1", "other@example.com");
