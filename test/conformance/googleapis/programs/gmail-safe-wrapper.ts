import { google, gmail_v1 } from "googleapis";

type Result<T> =
  { ok: true; value: T } | { ok: false; code: number; message: string };

class Mailer {
  private static instance?: Mailer;
  private gmail = google.gmail({
    version: "v1",
    auth: (() => {
      const c = new google.auth.OAuth2("i", "s");
      c.setCredentials({ refresh_token: "r" });
      return c;
    })(),
  });
  static get(): Mailer {
    return (this.instance ??= new this());
  }

  async safe<T>(
    op: (users: gmail_v1.Resource$Users) => Promise<{ data: T }>,
  ): Promise<Result<T>> {
    try {
      const { data } = await op(this.gmail.users);
      return { ok: true, value: data };
    } catch (err: any) {
      return {
        ok: false,
        code: Number(err.code ?? err.response?.status ?? 0),
        message: err.errors?.[0]?.message ?? err.message,
      };
    }
  }
}

const ok = await Mailer.get().safe((users) =>
  users.getProfile({ userId: "me" }),
);
console.log(ok.ok && ok.value.emailAddress);
const bad = await Mailer.get().safe((users) =>
  users.drafts.get({ userId: "me", id: "missing" }),
);
console.log(bad.ok ? "" : bad.code);
