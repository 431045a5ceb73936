import { google } from "googleapis";

const translate = google.translate({ version: "v2", auth: "key" });

export async function translateAll(texts, target) {
  const results = [];
  for (const q of texts) {
    const response = await translate.translations.list({ q: [q], target });
    results.push(response.data.translations?.[0].translatedText);
  }
  return results;
}

console.log(await translateAll(["Hello", "world & more"], "de"));
const langs = await translate.languages.list({ target: "en" });
console.log(langs.data.languages?.length ?? 0);
