import { describe, expect, it } from "vitest";
import { Search } from "../../../src/site/browser/search.js";
import type { ApiEntry } from "../../../src/site/search-index.js";

type Methods = ApiEntry[5];

function apiOf(
  name: string,
  version: string,
  methods: Methods,
  others: {
    isPreferred?: 0 | 1;
    isDeprecated?: 0 | 1;
    schemas?: ApiEntry[6];
  } = {},
): ApiEntry {
  const { isPreferred = 1, isDeprecated = 0, schemas = [] } = others;
  return [
    name,
    version,
    `The ${name} API`,
    `${name}/${version}/index.html`,
    isPreferred,
    methods,
    schemas,
    methods.length === 0 ? [] : [["pageToken", 0, 0]],
    "",
    isDeprecated,
  ];
}

const files: Methods = [
  [
    "files",
    "files#m-",
    [
      ["list", "Lists the user's files.", ["paged"], 0, "", ""],
      ["create", "Creates a file.", ["accepts uploads"], 0, "", ""],
      ["get", "Gets a file by its id.", ["downloads content"], 0, "", ""],
      ["touch", "Sets the time of a file.", [], 1, "", ""],
    ],
  ],
];
const messages: Methods = [
  [
    "users.messages",
    "messages#m-",
    [["send", "Sends a message.", [], 0, "", "gmail.send"]],
  ],
];
const search = new Search([
  apiOf("drive", "v3", files, { schemas: [["schemas#m-", ["File"]]] }),
  apiOf("drive", "v2", files, { isPreferred: 0 }),
  apiOf("gmail", "v1", messages),
]);
const found = (query: string): string[] =>
  search.find(query, 5).map(({ kind, label, detail }) => {
    const [api] = detail.split(" · ");
    return `${kind} ${label} (${api})`;
  });

describe("the search", () => {
  it.each([
    ["upload a file", "method files.create (drive v3)"],
    ["download content", "method files.get (drive v3)"],
    ["list all files", "method files.list (drive v3)"],
    ["send mail", "method users.messages.send (gmail v1)"],
    ["files.list", "method files.list (drive v3)"],
    ["drive v2 list", "method files.list (drive v2)"],
    ["messges", "method users.messages.send (gmail v1)"],
    ["pagetoken", "parameter pageToken (files.list, drive v3)"],
    ["gmail", "API The gmail API (gmail v1)"],
    ["deprecated", "method files.touch (drive v3)"],
    ["gmail.send", "method users.messages.send (gmail v1)"],
  ])("finds %s as %s", (query, expected) => {
    expect(found(query)[0]).toBe(expected);
  });

  it("ranks the API of the current page first", () => {
    expect(search.find("list files", 1, "drive v2")[0]!.detail).toMatch(
      /^drive v2/,
    );
  });

  it.each(["zebra", "  ", "how to", "🦓"])("finds nothing for %j", (query) => {
    expect(found(query)).toEqual([]);
  });

  it("percent-encodes names in links", () => {
    const name = 'zoo"/#';
    const [only] = new Search([
      apiOf("x", "v1", [["", "x#m-", [[name, "", [], 0, "", ""]]]]),
    ]).find("zoo", 1);
    expect(only!.url).toBe("x#m-zoo%22%2F%23");
  });
});
