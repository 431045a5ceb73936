/**
 * Part of the pages' script that sends requests from forms. The content
 * security policy restricts the permitted origins; the script also checks the
 * origin, so that it can show an error message. Credentials exist only in the
 * fields of the page: they are never part of the URL and never stored.
 * Responses are shown as text.
 */
export const TRY_SCRIPT = `
const MAX_SHOWN = 1000000;
const TIMEOUT = 60000;
const tries = [...document.querySelectorAll(".try")];
const tokens = [...document.querySelectorAll('[data-role="token"]')];
for (const field of tokens)
  field.addEventListener("input", () => {
    for (const other of tokens) other.value = field.value;
  });
// A page that is restored from the back/forward cache has no credentials.
addEventListener("pagehide", () => {
  for (const field of tokens) field.value = "";
});
function originsOf(box) {
  return box.dataset.origins.split(" ").map((one) => (one === "self" ? location.origin : one));
}
function expand(path, fields) {
  return path.replace(/\\{(\\+?)([^{}]*?)\\*?\\}/g, (_, plus, name) => {
    const value = fields.get(name) ?? "";
    const parts = plus === "" ? [value] : value.split("/");
    if (parts.some((part) => /^\\.{1,2}$/.test(part)))
      throw new Error(name + " must not contain a path segment . or ..");
    return parts.map(encodeURIComponent).join("/");
  });
}
function urlOf(box, form) {
  const text = form.querySelector('[data-role="base"]').value.trim();
  if (!/^https?:\\/\\//i.test(text) || !URL.canParse(text))
    throw new Error("The base URL must start with https:// or http://.");
  const base = new URL(text);
  const permitted = originsOf(box);
  if (!permitted.includes(base.origin))
    throw new Error("This site permits requests only to " + permitted.join(", ") + ".");
  const all = [...form.querySelectorAll("[data-name]")].filter((field) => field.value !== "");
  const inPath = new Map(
    all.filter(({ dataset }) => dataset.in === "path").map((field) => [field.dataset.name, field.value]),
  );
  const folder = base.pathname.endsWith("/") ? base.pathname : base.pathname + "/";
  const url = new URL(base.origin + folder + expand(box.dataset.path, inPath).replace(/^\\/+/, ""));
  if (url.origin !== base.origin) throw new Error("The path must not change the host.");
  for (const field of all)
    if (field.dataset.in !== "path")
      for (const value of field.matches("textarea") ? field.value.split("\\n").filter(Boolean) : [field.value])
        url.searchParams.append(field.dataset.name, value);
  return url;
}
async function textOf(response) {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  while (text.length < MAX_SHOWN) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text.slice(0, MAX_SHOWN) + "\\n… (truncated)";
}
async function send(box, form, show) {
  const url = urlOf(box, form);
  const headers = {};
  const token = form.querySelector('[data-role="token"]')?.value.trim() ?? "";
  if (token !== "") headers[box.dataset.header] = box.dataset.prefix + token;
  const body = form.querySelector('[data-role="body"]')?.value.trim() ?? "";
  if (body !== "") headers["content-type"] = "application/json";
  const start = performance.now();
  const response = await fetch(url, {
    method: box.dataset.httpMethod,
    headers,
    ...(body === "" ? {} : { body }),
    credentials: "omit",
    cache: "no-store",
    referrerPolicy: "no-referrer",
    // A redirect would send the credential's header to another address.
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT),
  });
  const text = await textOf(response);
  const time = Math.round(performance.now() - start);
  const type = response.headers.get("content-type") ?? "no content type";
  show(response.status + " " + response.statusText + ", " + type + ", " + time + " ms", text);
}
for (const box of tries) {
  const form = box.querySelector("form");
  const base = form.querySelector('[data-role="base"]');
  const status = form.querySelector('[role="status"]');
  const output = form.querySelector("pre");
  const button = form.querySelector("button");
  const permitted = originsOf(box);
  if (!URL.canParse(base.value) || !permitted.includes(new URL(base.value).origin))
    base.value = permitted[0] + "/";
  const show = (message, text) => {
    status.textContent = message;
    output.textContent = text ?? "";
    output.hidden = text === undefined || text === "";
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    button.disabled = true;
    show("Sending …");
    send(box, form, show)
      .catch((error) =>
        show(
          error.name === "TypeError"
            ? "The request failed: the server can't be reached, sent a redirect, or does not permit requests from this site (CORS)."
            : error.name === "TimeoutError" ? "The server did not respond within 60 seconds." : error.message,
        ),
      )
      .finally(() => (button.disabled = false));
  });
  box.hidden = false;
}
`;

/**
 * Style rules for forms. They are appended to the style sheet of sites with
 * forms.
 */
export const TRY_STYLE = `.try { margin: 1rem 0 0; border: 1px solid var(--line); border-radius: 8px; padding: .5rem .9rem; }
.try label { display: block; margin: .7rem 0 0; max-width: 40rem; } .try small { color: var(--faint); }
.try :is(input, select, textarea) { display: block; width: 100%; margin-top: .2rem; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--faint); border-radius: 6px; padding: .4rem .6rem; }
.try textarea { font: .9em/1.5 ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace; }
.try .send { margin-top: .9rem; } .try pre { max-height: 30rem; overflow: auto; white-space: pre-wrap; background: var(--code); border-radius: 6px; padding: .7rem .9rem; }
@media (scripting: enabled) { .try[hidden] { display: block !important; visibility: hidden; } }
@media print { .try { display: none; } }
`;
