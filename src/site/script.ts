import { INVISIBLE } from "../diagnostics/invisible.js";
import type { TryOrigins } from "./try-form.js";
import { TRY_SCRIPT } from "./try-script.js";

/**
 * Part of the pages' script that searches all APIs. `rank` returns the best
 * matches for a query in the search index. All words of the query must match.
 * An exact name ranks first, then a prefix, then the start of a word, then any
 * other position. APIs rank before methods, methods before schemas, schemas
 * before parameters, and preferred versions before others.
 */
export const SEARCH_SCRIPT = `
function scoreOf(words, text) {
  let score = 0;
  for (const word of words) {
    const at = text.indexOf(word);
    if (at < 0) return 0;
    if (text === word) score += 100;
    else if (at === 0) score += 40;
    else if (/[^a-z0-9]/.test(text[at - 1])) score += 30;
    else score += 10;
    score -= Math.min(9, text.length / 20);
  }
  return score / words.length;
}
function wordStarts(name) {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
}
function rank(index, query, limit) {
  const text = query.trim().toLowerCase();
  const words = text.split(/\\s+/).filter(Boolean).slice(0, 8);
  const found = [];
  if (words.length === 0) return found;
  const add = (score, kind, label, detail, url) => {
    if (score > 0) found.push({ score, kind, label, detail, url });
  };
  for (const [name, version, title, url, preferred, methods, schemas, parameters] of index) {
    const extra = preferred ? 3 : 0;
    const api = name + " " + version;
    const apiScore = Math.max(scoreOf(words, name), scoreOf(words, title.toLowerCase() + " " + api));
    if (apiScore > 0) add(apiScore + 20 + extra, "API", title, api, url);
    const rest = words.filter((word) => !(word === name || word === version));
    if (rest.length === 0) continue;
    const bonus = extra + (rest.length < words.length ? 15 : 0);
    for (const [resource, prefix, names] of methods)
      for (const method of names) {
        const id = resource === "" ? method : resource + "." + method;
        const lower = id.toLowerCase();
        const full = name + "." + lower;
        let score = Math.max(scoreOf(rest, lower), scoreOf(rest, wordStarts(id)) - 1);
        if (full === text || lower === text) score += 40;
        else if (lower.endsWith("." + text)) score += 20;
        if (score > 0) add(score + 10 + bonus, "method", id, api, prefix + encodeURIComponent(method));
      }
    for (const [prefix, names] of schemas)
      for (const schema of names) {
        const score = Math.max(scoreOf(rest, schema.toLowerCase()), scoreOf(rest, wordStarts(schema)) - 1);
        if (score > 0) add(score + 5 + bonus, "schema", schema, api, prefix + encodeURIComponent(schema));
      }
    for (const [parameter, group, at] of parameters) {
      const score = Math.max(scoreOf(rest, parameter.toLowerCase()), scoreOf(rest, wordStarts(parameter)) - 1);
      if (score <= 0) continue;
      const [resource, prefix, names] = methods[group];
      add(score + bonus, "parameter", parameter, resource + "." + names[at] + ", " + api, prefix + encodeURIComponent(names[at]));
    }
  }
  found.sort((a, b) => b.score - a.score || (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
  return found.slice(0, limit);
}
const find = document.getElementById("find");
if (find !== null) {
  const input = document.getElementById("find-text");
  const list = document.getElementById("find-results");
  const status = document.getElementById("find-status");
  let loading;
  let active = -1;
  let timer;
  const load = () =>
    (loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = find.dataset.index;
      script.onload = () => resolve(globalThis.searchIndex);
      script.onerror = reject;
      document.head.append(script);
    }));
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
    active = -1;
  };
  const choose = (index) => {
    const options = [...list.children];
    if (options.length === 0) return;
    active = (index + options.length) % options.length;
    for (const [at, option] of options.entries())
      option.setAttribute("aria-selected", String(at === active));
    input.setAttribute("aria-activedescendant", options[active].id);
    options[active].scrollIntoView({ block: "nearest" });
  };
  // Invisible and bidirectional control characters could show another text.
  const clean = (text) => text.replace(/[${INVISIBLE}]/g, "\\ufffd");
  const show = (results) => {
    list.replaceChildren(
      ...results.map((result, at) => {
        const option = document.createElement("li");
        option.id = "find-" + at;
        option.setAttribute("role", "option");
        option.setAttribute("aria-selected", "false");
        const link = document.createElement("a");
        link.href = find.dataset.root + result.url;
        link.tabIndex = -1;
        const label = document.createElement("b");
        label.textContent = clean(result.label);
        const detail = document.createElement("span");
        detail.textContent = clean(result.kind + " · " + result.detail);
        link.append(label, " ", detail);
        option.append(link);
        return option;
      }),
    );
    active = -1;
    const isOpen = results.length > 0;
    list.hidden = !isOpen;
    input.setAttribute("aria-expanded", String(isOpen));
    status.textContent = isOpen ? results.length + " results" : "No results";
  };
  const search = async () => {
    const query = input.value;
    if (query.trim() === "") return close();
    const index = await load();
    if (query === input.value) show(rank(index, query, 30));
  };
  input.addEventListener("focus", () => void load());
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, 80);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(active + 1);
    else if (event.key === "ArrowUp") choose(active - 1);
    else if (event.key === "Escape") close();
    else if (event.key === "Enter") list.children[Math.max(active, 0)]?.querySelector("a").click();
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (!find.contains(event.target)) close();
  });
  document.addEventListener("keydown", (event) => {
    const inField = event.target instanceof HTMLInputElement;
    if (event.key !== "/" || inField || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const field = document.getElementById("q") ?? input;
    field.focus();
    field.select();
  });
  find.hidden = false;
}
`;

/**
 * Script of all pages. It filters lists while the user types, copies sample
 * code, searches all APIs, and moves the focus to the search box when the user
 * presses `/`.
 */
const SCRIPT = `"use strict";
const box = document.getElementById("q");
const count = document.getElementById("count");
const nothing = document.getElementById("nothing");
const items = [...document.querySelectorAll("[data-filter] > li")].map((node) => ({
  node,
  text: (node.textContent + " " + (node.parentElement.dataset.context ?? "")).toLowerCase(),
}));
const groups = [...document.querySelectorAll("[data-group]")];
function filter() {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const { node, text } of items) {
    const hidden = !words.every((word) => text.includes(word));
    if (node.hidden !== hidden) node.hidden = hidden;
    if (!hidden) shown++;
  }
  for (const group of groups)
    group.hidden = !group.querySelector("[data-filter] > li:not([hidden])");
  if (words.length > 0 || shown < items.length) count.value = shown + " found";
  nothing.hidden = shown > 0;
}
if (box !== null && items.length > 0) {
  let timer;
  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(filter, 60);
  });
}
async function copy(button, code) {
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(code);
    button.textContent = "Selected";
  }
  setTimeout(() => (button.textContent = "Copy"), 2000);
}
for (const figure of document.querySelectorAll(".call")) {
  const caption = figure.querySelector("figcaption");
  const code = figure.querySelector("code");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-label", "Copy: " + caption.textContent);
  button.addEventListener("click", () => copy(button, code));
  caption.append(button);
}
${SEARCH_SCRIPT}`;

/**
 * Returns the script of the pages. It includes the script of the request forms
 * only if the site permits requests.
 */
export function scriptOf(tryOrigins: TryOrigins = []): string {
  return tryOrigins.length === 0 ? SCRIPT : SCRIPT + TRY_SCRIPT;
}
