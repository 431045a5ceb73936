import { expect, test } from "vitest";
import { publicLocations, restPath } from "../../../src/remote/directory.js";

test.each([
  ["drive", "v3", "https://drive.googleapis.com/$discovery/rest?version=v3"],
  [
    "calendar",
    "v3",
    "https://calendar-json.googleapis.com/$discovery/rest?version=v3",
  ],
  [
    "prod_tt_sasportal",
    "v1alpha1",
    "https://prod-tt-sasportal.googleapis.com/$discovery/rest?version=v1alpha1",
  ],
  [
    "siteVerification",
    "v1",
    "https://siteverification.googleapis.com/$discovery/rest?version=v1",
  ],
])("%s:%s", (name, version, host) => {
  expect(publicLocations(name, version)).toEqual([
    host,
    `https://www.googleapis.com/discovery/v1/apis/${name}/${version}/rest`,
  ]);
});

test("a name that is no host name is looked up in the central directory only", () => {
  for (const name of ["a.b", "-a", "a-", "x".repeat(64)])
    expect(publicLocations(name, "v1")).toEqual([
      `https://www.googleapis.com/discovery/v1/apis/${name}/v1/rest`,
    ]);
  expect(publicLocations("__proto__", "v1")).toHaveLength(1);
});

test("documents of a directory are below its list", () => {
  expect(restPath("https://a.example/apis/", "x", "v1")).toBe(
    "https://a.example/apis/x/v1/rest",
  );
  expect(restPath("https://a.example/apis?a=b", "x", "v/1")).toBe(
    "https://a.example/apis/x/v%2F1/rest?a=b",
  );
});
