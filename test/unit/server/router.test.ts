import { describe, expect, test } from "vitest";
import { parseTemplate } from "../../../src/runtime/server/routing/template.js";
import { Router } from "../../../src/runtime/server/routing/router.js";

/** Returns the route of a path with its variables as sent. */
function find(
  routes: readonly string[],
  path: string,
  verb = "GET",
): string | undefined {
  const router = new Router<string>();
  for (const route of routes) {
    const [first, second] = route.split(" ");
    if (second === undefined) router.add(first!, "GET", route);
    else router.add(second, first!, route);
  }
  const found = router.find(verb, path);
  if (found === undefined) return undefined;
  const values = found.template.captures.map(
    ({ name }, index) => `${name}=${found.values[index]}`,
  );
  return [found.target, ...values].join(" ");
}

describe("precedence", () => {
  const routes = [
    "files/{id}",
    "files/generateIds",
    "files/{id}:copy",
    "files/{id}/x",
    "{a}/{b}",
    "{name=**}",
  ];

  test.each([
    ["files/7", "files/{id} id=7"],
    ["files/generateIds", "files/generateIds"],
    ["files/generateIds:copy", "files/{id}:copy id=generateIds"],
    ["files/7:copy", "files/{id}:copy id=7"],
    ["files/7:other", "files/{id} id=7:other"],
    ["files/7%3Acopy", "files/{id} id=7%3Acopy"],
    ["files/a%2Fb", "files/{id} id=a%2Fb"],
    ["files/7/x", "files/{id}/x id=7"],
    ["files/7/y", "{name=**} name=files/7/y"],
    ["other/7", "{a}/{b} a=other b=7"],
    ["files", "{name=**} name=files"],
    ["f%69les/7", "files/{id} id=7"],
  ])("%s", (path, expected) => {
    expect(find(routes, path)).toBe(expected);
  });

  test("the router backtracks from a dead end", () => {
    expect(find(["a/b/c", "a/{x}/d"], "a/b/d")).toBe("a/{x}/d x=b");
    expect(find(["a/b:v", "a/{x}"], "a/b")).toBe("a/{x} x=b");
  });

  test("text after a multi-segment variable determines its end", () => {
    const open = ["v1/{name=ops/**}", "v1/{name=ops/**}/lro"];
    expect(find(open, "v1/ops/a/b")).toBe("v1/{name=ops/**} name=ops/a/b");
    expect(find(open, "v1/ops/a/lro")).toBe("v1/{name=ops/**}/lro name=ops/a");
    expect(find(open, "v1/ops/lro/lro")).toBe(
      "v1/{name=ops/**}/lro name=ops/lro",
    );
  });

  test("two multi-segment variables", () => {
    const route = "{a=**}/to/{b=**}:move";
    expect(find([route], "x/y/to/z/w:move")).toBe(`${route} a=x/y b=z/w`);
  });
});

describe("forms", () => {
  test.each([
    [
      "v1/{name=projects/*/topics/*}:pull",
      "v1/projects/p/topics/t:pull",
      "projects/p/topics/t",
    ],
    ["v1/{name=projects/*}/items", "v1/projects/p/items", "projects/p"],
    ["v1/{name=**}", "v1/a", "a"],
    ["v1/{name=**}:x", "v1/a/b:x", "a/b"],
    ["{v}.json", "a.json", "a"],
    ["x{v}y", "xxyyy", "xyy"],
  ])("%s", (route, path, value) => {
    expect(find([route], path)?.split("=").at(-1)).toBe(value);
  });

  test.each([
    ["v1/{name=projects/*}", "v1/projects/"],
    ["v1/{name=projects/*}", "v1/projects"],
    ["{v}.json", ".json"],
    ["{a}-{b}", "-x"],
    ["a/{v}", "a/"],
    ["a", "a/"],
  ])("%s is not %s", (route, path) => {
    expect(find([route], path)).toBeUndefined();
  });

  test("text between variables splits at its first occurrence", () => {
    expect(find(["{a}-{b}"], "x-y-z")).toBe("{a}-{b} a=x b=y-z");
  });

  test("of two mixed segments the one with more literal text wins", () => {
    expect(find(["{a}.b", "{a}.b.b"], "x.b.b")).toBe("{a}.b.b a=x");
  });
});

describe("HTTP methods", () => {
  const routes = ["GET a/{x}", "POST a/{x}", "DELETE a/b"];

  test("each matches its own route", () => {
    expect(find(routes, "a/b", "POST")).toBe("POST a/{x} x=b");
    expect(find(routes, "a/b", "DELETE")).toBe("DELETE a/b");
    expect(find(routes, "a/b", "HEAD")).toBe("GET a/{x} x=b");
    expect(find(routes, "a/b", "PUT")).toBeUndefined();
  });

  test("all methods of a path are listed", () => {
    const router = new Router<string>();
    router.add("a/{x}", "GET", "");
    router.add("a/b", "DELETE", "");
    expect(router.allowed("a/b")).toEqual(["DELETE", "GET", "HEAD"]);
    expect(router.allowed("a/c")).toEqual(["GET", "HEAD"]);
    expect(router.allowed("c")).toEqual([]);
  });
});

test("routes that differ only in variable names conflict", () => {
  const router = new Router<string>();
  expect(router.add("a/{x}", "GET", "first")).toBeUndefined();
  expect(router.add("a/{y}", "GET", "second")).toBe("first");
  expect(router.add("a/{y}", "POST", "third")).toBeUndefined();
  expect(router.add("a/{y}:v", "GET", "fourth")).toBeUndefined();
  expect(router.find("GET", "a/1")?.target).toBe("first");
});

test("long and deep paths are matched quickly", () => {
  const router = new Router<string>();
  router.add("{a=**}/x/{b=**}/y", "GET", "");
  expect(router.find("GET", "x/".repeat(8000))).toBeUndefined();
  expect(router.find("GET", "/".repeat(16_000))).toBeUndefined();
  expect(router.find("GET", ":".repeat(16_000))).toBeUndefined();
});

test("a route of 200,000 slashes is split in linear time", () => {
  const { items } = parseTemplate("/".repeat(200_000));
  expect(items).toHaveLength(200_001);
});

test("keeps the values of a match after later matches", () => {
  const router = new Router<string>();
  router.add("files/{fileId}/comments/{commentId}", "GET", "comment");
  const first = router.find("GET", "files/a/comments/1")!;
  router.find("GET", "files/b/comments/2");
  expect(first.values).toEqual(["a", "1"]);
});
