import { describe, expect, it } from "vitest";
import { expandTemplate } from "../../../src/runtime/client/index.js";

/** Variables of RFC 6570, sections 1.2 and 3.2. */
const variables: Record<string, unknown> = {
  count: ["one", "two", "three"],
  dom: ["example", "com"],
  dub: "me/too",
  hello: "Hello World!",
  half: "50%",
  var: "value",
  who: "fred",
  base: "http://example.com/home/",
  path: "/foo/bar",
  list: ["red", "green", "blue"],
  keys: { semi: ";", dot: ".", comma: "," },
  v: "6",
  x: 1024,
  y: "768",
  empty: "",
  empty_keys: {},
  none: [],
  undef: undefined,
  nil: null,
  yes: true,
  triplet: "a%20b%",
  "a.b": "dotted",
};

const cases: Record<string, Record<string, string>> = {
  "level 1": {
    "{var}": "value",
    "{hello}": "Hello%20World%21",
    "{half}": "50%25",
    "O{empty}X": "OX",
    "O{undef}{nil}X": "OX",
    "{x}{yes}": "1024true",
    "{a.b}": "dotted",
    "no expression, é": "no expression, é",
  },
  "level 2": {
    "{+var}": "value",
    "{+hello}": "Hello%20World!",
    "{+half}": "50%25",
    "{+triplet}": "a%20b%25",
    "{+path}/here": "/foo/bar/here",
    "here?ref={+path}": "here?ref=/foo/bar",
    "{base}index": "http%3A%2F%2Fexample.com%2Fhome%2Findex",
    "{+base}index": "http://example.com/home/index",
    "X{#var}": "X#value",
    "X{#hello}": "X#Hello%20World!",
    "{#undef}": "",
    "{#empty}": "#",
  },
  "level 3": {
    "map?{x,y}": "map?1024,768",
    "{x,hello,y}": "1024,Hello%20World%21,768",
    "{+x,hello,y}": "1024,Hello%20World!,768",
    "{+path,x}/here": "/foo/bar,1024/here",
    "{#x,hello,y}": "#1024,Hello%20World!,768",
    "{#path,x}/here": "#/foo/bar,1024/here",
    "X{.var}": "X.value",
    "X{.x,y}": "X.1024.768",
    "{/var}": "/value",
    "{/var,x}/here": "/value/1024/here",
    "{/var,empty}": "/value/",
    "{;x,y}": ";x=1024;y=768",
    "{;x,y,empty}": ";x=1024;y=768;empty",
    "{?x,y}": "?x=1024&y=768",
    "{?x,y,empty}": "?x=1024&y=768&empty=",
    "?fixed=yes{&x}": "?fixed=yes&x=1024",
    "{&x,y,empty}": "&x=1024&y=768&empty=",
    "{?x,undef}": "?x=1024",
    "{?undef,nil}": "",
  },
  "level 4: prefix": {
    "{var:3}": "val",
    "{var:30}": "value",
    "{+path:6}/here": "/foo/b/here",
    "{#path:6}/here": "#/foo/b/here",
    "X{.var:3}": "X.val",
    "{/var:1,var}": "/v/value",
    "{;hello:5}": ";hello=Hello",
    "{?var:3}": "?var=val",
    "{&var:3}": "&var=val",
    "{x:2}": "10",
  },
  "level 4: lists and maps": {
    "{list}": "red,green,blue",
    "{list*}": "red,green,blue",
    "{keys}": "semi,%3B,dot,.,comma,%2C",
    "{keys*}": "semi=%3B,dot=.,comma=%2C",
    "{+list}": "red,green,blue",
    "{+keys}": "semi,;,dot,.,comma,,",
    "{+keys*}": "semi=;,dot=.,comma=,",
    "{#keys*}": "#semi=;,dot=.,comma=,",
    "X{.list}": "X.red,green,blue",
    "X{.list*}": "X.red.green.blue",
    "X{.keys*}": "X.semi=%3B.dot=..comma=%2C",
    "X{.none}": "X",
    "X{.empty_keys*}": "X",
    "{/list}": "/red,green,blue",
    "{/list*}": "/red/green/blue",
    "{/list*,path:4}": "/red/green/blue/%2Ffoo",
    "{/keys*}": "/semi=%3B/dot=./comma=%2C",
    "{;list}": ";list=red,green,blue",
    "{;list*}": ";list=red;list=green;list=blue",
    "{;keys}": ";keys=semi,%3B,dot,.,comma,%2C",
    "{;keys*}": ";semi=%3B;dot=.;comma=%2C",
    "{?list}": "?list=red,green,blue",
    "{?list*}": "?list=red&list=green&list=blue",
    "{?keys*}": "?semi=%3B&dot=.&comma=%2C",
    "{&list*}": "&list=red&list=green&list=blue",
    "{?none,empty_keys}": "",
    "{count*}": "one,two,three",
    "{/dub}{.dom*}": "/me%2Ftoo.example.com",
  },
};

describe.each(Object.entries(cases))("%s", (_, rows) => {
  it.each(Object.entries(rows))("%s", (template, expected) => {
    expect(expandTemplate(template, (name) => variables[name])).toBe(expected);
  });
});

it("cuts prefixes between characters, not within surrogate pairs", () => {
  expect(expandTemplate("{v:1}", () => "😀é")).toBe("%F0%9F%98%80");
});

it("skips undefined members of lists and maps", () => {
  const value = { a: null, b: "1" };
  expect(expandTemplate("{?v*}", () => value)).toBe("?b=1");
  expect(expandTemplate("{v}", () => [undefined, "x"])).toBe("x");
});

it.each([
  "{",
  "}",
  "{}",
  "a{b",
  "a}b",
  "{a{b}}",
  "{!a}",
  "{=a}",
  "{|a}",
  "{@a}",
  "{a b}",
  "{a:0}",
  "{a:10000}",
  "{a:x}",
  "{a*:3}",
  "{a,}",
  "{+}",
  "{a%2}",
])("refuses the template %s", (template) => {
  expect(() => expandTemplate(template, () => "x")).toThrow(SyntaxError);
});
