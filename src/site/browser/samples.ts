import {
  LANGUAGES,
  type SampleRequest,
  type SampleValues,
} from "../samples.js";
import { showCode } from "./highlight.js";

/** Name of the item of the session storage with the chosen language. */
const CHOSEN = "gen-docs-language";

/** Adds a button to each sample that copies it. */
export function addCopyButton(figure: HTMLElement): void {
  const caption = figure.querySelector("figcaption")!;
  const code = figure.querySelector("code")!;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy: ${caption.textContent}`);
  button.addEventListener("click", () => void copy(button, code));
  caption.append(button);
}

async function copy(button: HTMLElement, code: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
  } catch {
    getSelection()?.selectAllChildren(code);
    button.textContent = "Selected";
  }
  setTimeout(() => (button.textContent = "Copy"), 2000);
}

/**
 * Turns the samples of a method into tabs, one for each language, and prints the
 * languages that the page does not contain.
 */
export function setUpSamples(box: HTMLElement): void {
  const request = JSON.parse(box.dataset["sample"]!) as SampleRequest;
  const figureOf = (language: string): HTMLElement | null =>
    box.querySelector(`figure[data-language="${language}"]`);
  const client = figureOf("ts");
  const curl = figureOf("curl");
  if (client === null || curl === null) return;
  const codeOf = (figure: HTMLElement): HTMLElement =>
    figure.querySelector("code")!;
  const body = small(codeOf(curl).textContent);
  const panels = [client, curl];
  for (const { id, title } of LANGUAGES.slice(1)) {
    const figure = curl.cloneNode(true) as HTMLElement;
    figure.dataset["language"] = id;
    figure.querySelector("figcaption")!.textContent = title;
    panels.at(-1)!.after(figure);
    addCopyButton(figure);
    panels.push(figure);
  }
  const print = (values: SampleValues, text: string | undefined): void => {
    for (const { id, print: printed } of LANGUAGES)
      showCode(codeOf(figureOf(id)!), printed(request, text, values));
  };
  print({}, body);
  followForm(box, (values, text) => print(values, text ?? body));
  addTabs(box, panels);
}

/** Returns the body in a curl call: the text between the quotes after `-d`. */
function small(text: string): string | undefined {
  const start = text.indexOf("-d '");
  return start < 0 || !text.endsWith("'")
    ? undefined
    : text.slice(start + 4, -1).replaceAll("'\\''", "'");
}

/** Prints the samples again when the user fills in the form of the method. */
function followForm(
  box: HTMLElement,
  print: (values: SampleValues, body: string | undefined) => void,
): void {
  const form = box.closest(".method")?.querySelector("form");
  form?.addEventListener("input", () => {
    const fields = form.querySelectorAll<HTMLInputElement>("[data-name]");
    // Unlike assignments, this defines members such as `__proto__`.
    const values = Object.fromEntries(
      [...fields]
        .filter(({ value }) => value !== "")
        .map(({ dataset, value }) => [dataset["name"]!, value.split("\n")]),
    );
    const body = form.querySelector<HTMLTextAreaElement>("textarea[data-body]");
    print(values, body?.value);
  });
}

let count = 0;

function addTabs(box: HTMLElement, panels: readonly HTMLElement[]): void {
  const list = document.createElement("div");
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", "Language");
  const tabs = panels.map((figure) => {
    const id = `sample-${count++}`;
    const title = figure.querySelector("figcaption")!.firstChild!.textContent!;
    const panel = document.createElement("div");
    figure.replaceWith(panel);
    panel.append(figure);
    const tab = document.createElement("button");
    tab.type = "button";
    tab.textContent = title.trim();
    tab.id = `${id}-tab`;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", id);
    panel.id = id;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    const language = figure.dataset["language"]!;
    tab.dataset["language"] = language;
    panel.dataset["panel"] = language;
    tab.addEventListener("click", () => choose(language));
    return tab;
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab === document.activeElement);
    const next = tabs[(at + step + tabs.length) % tabs.length]!;
    next.focus();
    choose(next.dataset["language"]!);
  });
  list.append(...tabs);
  box.prepend(list);
  box.classList.add("tabbed");
  select(box, chosen());
}

function chosen(): string {
  try {
    return sessionStorage.getItem(CHOSEN) ?? "ts";
  } catch {
    return "ts"; // storage is not available in all browsers for files
  }
}

/** Shows a language in the samples of all methods, also on later pages. */
function choose(language: string): void {
  try {
    sessionStorage.setItem(CHOSEN, language);
  } catch {
    // the choice then lasts as long as the page
  }
  const anchor = document.activeElement;
  const before = anchor?.getBoundingClientRect().top ?? 0;
  for (const box of document.querySelectorAll<HTMLElement>(".tabbed"))
    select(box, language);
  // Samples above can be longer now; the tab stays where it is in the window.
  scrollBy(0, (anchor?.getBoundingClientRect().top ?? 0) - before);
}

function select(box: HTMLElement, language: string): void {
  for (const tab of box.querySelectorAll<HTMLElement>("[role=tab]")) {
    const isSelected = tab.dataset["language"] === language;
    tab.setAttribute("aria-selected", String(isSelected));
    tab.tabIndex = isSelected ? 0 : -1;
  }
  for (const panel of box.querySelectorAll<HTMLElement>("[role=tabpanel]"))
    panel.hidden = panel.dataset["panel"] !== language;
}
