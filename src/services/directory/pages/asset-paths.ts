/** Paths of the style sheet, the script and the search index. */
export const STYLE_PATH = "/assets/directory/style.css";
export const SCRIPT_PATH = "/assets/directory/script.js";
export const SEARCH_PATH = "/assets/directory/search.js";
