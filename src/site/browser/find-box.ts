import { replaceInvisible } from "../../diagnostics/invisible.js";
import type { ApiEntry } from "../search-index.js";
import { Search, type Found } from "./search.js";

declare global {
  /** Search index, which the script search.js of the site assigns. */
  var searchIndex: readonly ApiEntry[] | undefined;
}

const HEADINGS = {
  method: "Methods",
  API: "APIs",
  schema: "Schemas",
  parameter: "Parameters",
} as const;

/** Loads the search index on first use, and shows results while the user types. */
export function setUpSearch(find: HTMLElement): void {
  const input = find.querySelector("input")!;
  const list = find.querySelector<HTMLElement>("[role=listbox]")!;
  const status = find.querySelector<HTMLElement>("[role=status]")!;
  let loading: Promise<Search> | undefined;
  let active = -1;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const load = (): Promise<Search> =>
    (loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = find.dataset["index"]!;
      script.onload = () => resolve(new Search(globalThis.searchIndex ?? []));
      script.onerror = reject;
      document.head.append(script);
    }));
  const close = (): void => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    status.classList.add("hidden");
    active = -1;
  };
  const choose = (index: number): void => {
    const options = [...list.children];
    if (options.length === 0) return;
    active = (index + options.length) % options.length;
    for (const [at, option] of options.entries())
      option.setAttribute("aria-selected", String(at === active));
    input.setAttribute("aria-activedescendant", options[active]!.id);
    options[active]!.scrollIntoView({ block: "nearest" });
  };
  const show = (results: readonly Found[]): void => {
    const kinds = [...new Set(results.map(({ kind }) => kind))];
    const sorted = kinds.flatMap((kind) =>
      results.filter((one) => one.kind === kind),
    );
    list.replaceChildren(
      ...sorted.map((result, at) =>
        optionOf(result, at, sorted[at - 1]?.kind, find.dataset["root"]!),
      ),
    );
    active = -1;
    const isOpen = sorted.length > 0;
    list.hidden = !isOpen;
    input.setAttribute("aria-expanded", String(isOpen));
    status.textContent = isOpen
      ? `${sorted.length} results`
      : `Nothing found for “${input.value.trim()}”.`;
    status.classList.toggle("hidden", isOpen);
  };
  const search = async (): Promise<void> => {
    const query = input.value;
    if (query.trim() === "") return close();
    const index = await load();
    if (query === input.value) show(index.find(query, 30, find.dataset["api"]));
  };
  input.addEventListener("focus", () => void load());
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void search(), 80);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(active + 1);
    else if (event.key === "ArrowUp") choose(active - 1);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter")
      list.querySelectorAll("a")[Math.max(active, 0)]?.click();
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (!find.contains(event.target as Node)) close();
  });
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    const inField =
      target instanceof HTMLElement &&
      target.matches("input, textarea, select");
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
    if (event.key !== "/" || inField || hasModifier) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  find.hidden = false;
}

function optionOf(
  { kind, label, detail, url }: Found,
  at: number,
  previous: Found["kind"] | undefined,
  root: string,
): HTMLElement {
  // A link with the role of an option can also be opened in another tab.
  const option = document.createElement("a");
  option.id = `find-${at}`;
  option.setAttribute("role", "option");
  option.setAttribute("aria-selected", "false");
  if (kind !== previous) option.dataset["heading"] = HEADINGS[kind];
  option.href = root + url;
  option.tabIndex = -1;
  const name = document.createElement("b");
  // Invisible and bidirectional control characters could show another text.
  name.textContent = replaceInvisible(label);
  const rest = document.createElement("span");
  rest.textContent = replaceInvisible(detail);
  option.append(name, " ", rest);
  return option;
}
