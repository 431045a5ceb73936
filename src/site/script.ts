import { SEARCH_SCRIPT } from "./search-script.js";
import type { TryOrigins } from "./try-form.js";
import { TRY_SCRIPT } from "./try-script.js";

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
