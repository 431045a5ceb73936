// Script of all pages. Without it, pages have all of their text; only the search,
// the filter, tabs and nested properties are missing.
import { setUpSearch } from "./find-box.js";
import { showCode } from "./highlight.js";
import { setUpFilter, setUpPosition } from "./lists.js";
import { addCopyButton, setUpSamples } from "./samples.js";
import { setUpSchema } from "./schema-tree.js";

for (const figure of document.querySelectorAll<HTMLElement>(".call")) {
  addCopyButton(figure);
  const code = figure.querySelector("code")!;
  showCode(code, code.textContent);
}
for (const box of document.querySelectorAll<HTMLElement>("[data-sample]"))
  setUpSamples(box);
const schemas =
  document.querySelector<HTMLElement>("[data-schemas]")?.dataset["schemas"];
if (schemas !== undefined)
  for (const cell of document.querySelectorAll<HTMLElement>("[data-schema]"))
    setUpSchema(cell, schemas);
const box = document.querySelector<HTMLInputElement>("#q");
if (box !== null) setUpFilter(box);
const aside = document.querySelector<HTMLElement>(".aside");
if (aside !== null) setUpPosition(aside);
const find = document.getElementById("find");
if (find !== null) setUpSearch(find);
// The link that was followed to a method refers to a position that the samples,
// now tabs, have moved.
if (location.hash !== "")
  document
    .getElementById(decodeURIComponent(location.hash.slice(1)))
    ?.scrollIntoView();
