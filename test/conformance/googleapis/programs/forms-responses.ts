import { forms_v1, google } from "googleapis";

type Answer = Record<string, forms_v1.Schema$Answer>;
const forms = google.forms({ version: "v1", auth: "key" });

async function answers(formId: string): Promise<Answer[]> {
  let list: Answer[] = [];
  let token: string | undefined;
  for (;;) {
    const page = await forms.forms.responses.list({ formId, pageToken: token });
    list = list.concat(page.data.responses?.map((r) => r.answers ?? {}) ?? []);
    token = page.data.nextPageToken ?? undefined;
    if (!token) return list;
  }
}

const form = await forms.forms.get({ formId: "f" });
console.log(form.data.info?.title ?? "untitled");
console.log((await answers("f")).length);
