import { expect, test } from "vitest";
import { type FilterLanguage, parseFilter } from "../../src/mock/filters.js";

const FILE = {
  name: "it's a.txt",
  parents: ["dir", "other"],
  size: 7,
  quotaBytesUsed: "12",
  state: "ACTIVE",
  createTime: "2025-01-01T10:00:00Z",
  labels: { env: "prod" },
};

test.each<[FilterLanguage, string, boolean | undefined]>([
  ["filter", 'state = "ACTIVE" AND labels.env=prod', true],
  ["filter", "state = DELETED OR labels.env=prod", true],
  // OR has a higher precedence than AND (AIP-160).
  ["filter", "state = DELETED AND size = 7 OR size = 7", false],
  ["filter", "NOT state = ACTIVE", false],
  ["filter", "-state = ACTIVE", false],
  ["filter", "(state = ACTIVE) (size > 6)", true],
  ["filter", "(state = ACTIVE) (size > 7)", false],
  ["filter", "labels:env", true],
  ["filter", "labels.env:*", true],
  ["filter", "create_time >= 2025-01-01T09:00:00Z", true],
  ["filter", "deleted = false", true],
  ["filter", "deleted = true", false],
  ["filter", "quota_bytes_used > 9 quotaBytesUsed < 100", true],
  ["filter", "free text", undefined],
  ["filter", "name constructor a", undefined],
  ["filter", "fullText = a", undefined],
  ["query", "fullText contains 'a' and trashed = false", undefined],
  ["filter", "name = a*b", undefined],
  ["filter", "(state = ACTIVE", undefined],
  ["filter", `${"(".repeat(100)}a = b${")".repeat(100)}`, undefined],
  ["query", "'dir' in parents and trashed = false", true],
  ["query", "'none' in parents", false],
  ["query", "name contains 'A.TXT'", true],
  ["query", "name = 'it\\'s a.txt'", true],
  ["query", "not 'dir' in parents", false],
  // From left to right.
  ["query", "size = 1 and size = 1 or size = 7", true],
  ["query", "lunch", undefined],
  ["query", "properties has { key='a' and value='b' }", undefined],
  ["query", "", undefined],
])("the %s %j selects the resource: %s", (language, text, isSelected) => {
  const names = [...Object.keys(FILE), "trashed", "deleted"];
  const filter = parseFilter(text, language, (name) => names.includes(name));
  expect(filter?.(FILE)).toBe(isSelected);
});
