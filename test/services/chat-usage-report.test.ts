import { expect, test } from "vitest";
import { parse } from "csv-parse/sync";
import { formatUsage } from "../../src/services/chat/usage-report.js";

const row = {
  day: "2026-01-02",
  key: "0123456789abcdef",
  name: 'Ada, "the first"',
  owner: "team",
  model: "small",
  requests: 3,
  estimated_requests: 1,
  prompt_tokens: 20,
  completion_tokens: 5,
  total_tokens: 25,
};
const rows = [row, { ...row, day: "2026-01-03", name: "ci", owner: "" }];

test("a report as CSV has a header, and texts with separators", () => {
  const text = formatUsage(rows, "csv");
  const read: unknown = parse(text, { columns: true });
  expect(read).toEqual(
    rows.map((usage) => ({
      day: usage.day,
      key: usage.key,
      name: usage.name,
      owner: usage.owner,
      model: "small",
      requests: "3",
      estimated_requests: "1",
      prompt_tokens: "20",
      completion_tokens: "5",
      total_tokens: "25",
    })),
  );
  expect(formatUsage([], "csv")).toBe(
    "day,key,name,owner,model,requests,estimated_requests,prompt_tokens,completion_tokens,total_tokens\r\n",
  );
});

test("a report as text is a table with sums", () => {
  expect(formatUsage(rows, "text").split("\n")).toEqual([
    "day         key               name              owner  model  requests  estimated_requests  prompt_tokens  completion_tokens  total_tokens",
    '2026-01-02  0123456789abcdef  Ada, "the first"  team   small         3                   1             20                  5            25',
    "2026-01-03  0123456789abcdef  ci                       small         3                   1             20                  5            25",
    "total                                                                6                   2             40                 10            50",
    "",
  ]);
  expect(formatUsage([], "text")).toBe("no usage\n");
});

test("a report as JSON contains the rows", () => {
  expect(JSON.parse(formatUsage(rows, "json"))).toEqual(rows);
});
