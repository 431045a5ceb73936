import { expect, test } from "vitest";
import { rewriteFile } from "../../../src/overrides/rewrite/index.js";
import { briefly, check, VALID_12, VALID_13 } from "../../support/overrides.js";

const ENVS = /envs:\n( .*\n)+/;
const ACCOUNTS = /    serviceAccountPaths:\n( {6}.*\n)+/;

/** Replacements in the valid file, with the expected finding. */
const MISTAKES: readonly (readonly [
  string,
  string | RegExp,
  string,
  string,
  string,
])[] = [
  [
    "a list item one space short",
    "mart:",
    " - name: prod\nmart:",
    "S02 18:2 error",
    "this line is indented by 1 space, but line 14 is indented by 2 spaces",
  ],
  [
    "a key one space short",
    "    sslKeyPath",
    "   sslKeyPath",
    "S02 12:4 error",
    "this line is indented by 3 spaces, but line 11 is indented by 4 spaces",
  ],
  [
    "a key one space further",
    "  region: us-east1\nk8s",
    "   region: us-east1\nk8s",
    "S02 5:4 error",
    "this line is indented by 3 spaces, but line 4 is indented by 2 spaces",
  ],
  [
    "a list item that becomes part of the text above",
    "    sslCertPath",
    "    additionalGateways:\n      - a\n       - b\n    sslCertPath",
    "S02 13:8 error",
    "line 13 is read as a continuation of line 12, because it is indented by 7 spaces",
  ],
  [
    "no space after a colon",
    "org: example",
    "org:example",
    "S02 1:4 error",
    'a space is missing after the colon of "org"',
  ],
  [
    "no space after the colon of a nested key",
    "  region: us",
    "  region:us",
    "S02 5:9 error",
    'a space is missing after the colon of "region"',
  ],
  [
    "no space after a dash",
    "- name: test",
    "-name: test",
    "S02 14:3 error",
    'a space is missing between the dash and "name"',
  ],
  [
    "a tab",
    "  region: us",
    "\tregion: us",
    "S02 5:1 error",
    "a tab is used for indentation; YAML allows only spaces",
  ],
  [
    "a zero-width character in a key",
    "org:",
    "org\u200b:",
    "S13 1:4 error",
    "the invisible character U+200B is not allowed",
  ],
  [
    "a no-break space after a colon",
    "  region: us",
    "  region:\u00a0us",
    "S13 5:10 error",
    "the invisible character U+00A0 is not allowed",
  ],
  [
    "a required account without a value",
    "mart:\n  serviceAccountPath: ./accounts/mart.json",
    "mart:\n  serviceAccountPath:",
    "T05 19:3 error",
    '"serviceAccountPath" has no value',
  ],
  [
    "a required account that is an empty string",
    "mart:\n  serviceAccountPath: ./accounts/mart.json",
    'mart:\n  serviceAccountPath: " "',
    "T05 19:23 error",
    '"serviceAccountPath" is an empty string',
  ],
  [
    "a key file without a value beside its certificate",
    "sslKeyPath: ./certs/group.key",
    "sslKeyPath:",
    "T05 12:5 error",
    '"sslKeyPath" has no value',
  ],
  [
    "accounts of an environment without a value",
    ACCOUNTS,
    "    serviceAccountPaths:\n",
    "T05 15:5 error",
    '"serviceAccountPaths" has no value',
  ],
  ["no environments", ENVS, "", "T04 1:1 error", "envs is missing"],
  [
    "an invalid address",
    /$/,
    "cassandra:\n  multiRegionSeedHost: 10.0.0.999\n",
    "T03 27:24 error",
    '"10.0.0.999" is not an IP address',
  ],
  [
    "an empty seed host",
    /$/,
    "cassandra:\n  externalSeedHost:\n",
    "T05 27:3 error",
    '"externalSeedHost" has no value',
  ],
  [
    "an invalid address of a proxy",
    /$/,
    "httpProxy:\n  host: 300.1.1.1\n  port: 80\n",
    "T03 27:9 error",
    '"300.1.1.1" is not an IP address',
  ],
];

test.each(MISTAKES)("%s", (_, old, now, brief, message) => {
  for (const mode of ["demo", "prod"] as const) {
    const checked = check(VALID_13.replace(old, now), { mode });
    const errors = checked.diagnostics.filter(
      ({ code }) => !/^X(08|13)$/.test(code),
    );
    expect(briefly({ ...checked, diagnostics: errors })).toEqual([brief]);
    expect(errors[0]!.message).toBe(message);
  }
});

test.each([
  ['"true"', "write true, without quotes"],
  ['"False"', "write false, without quotes"],
  ["'no'", "write false, without quotes"],
])("a quoted boolean: %s", (value, suggestion) => {
  const { diagnostics } = check(
    `${VALID_13}cassandra:\n  hostNetwork: ${value}\n`,
  );
  expect(diagnostics).toMatchObject([{ code: "T02", suggestion }]);
});

test.each([
  "# a comment with\u200b and\u00a0\n",
  "cassandra:\n  externalSeedHost: 10.0.0.9\n",
  "cassandra:\n  multiRegionSeedHost: cassandra-0.example.com\n",
  "httpProxy:\n  host: proxy-1.example.com\n  port: 80\n",
])("no finding for %j", (more) => {
  expect(check(VALID_13 + more).isValid).toBe(true);
});

test("the rewriter's report contains a comment without a secret", () => {
  const text = VALID_12.replace(
    "    loadBalancerIP: 203.0.113.7",
    [
      "    loadBalancerIP: 203.0.113.7 # private zone",
      "    # the token bucket holds 20",
      "    # password hunter2horse is old",
      "    # proxy http://me:hunter2horse@proxy.example.com",
    ].join("\n"),
  );
  const { report } = rewriteFile("o.yaml", Buffer.from(text), {
    envgroups: new Map(),
  });
  expect(report.comments.map(({ text: own }) => own)).toEqual([
    "# the old name",
    "# slow back end",
    "# private zone",
    "# the token bucket holds 20",
    "# password *** is old",
    "# proxy http://***@proxy.example.com",
  ]);
});

test("at most 1,000 findings are shown, but all count for the result", () => {
  const lines = Array.from({ length: 30_000 }, (_, n) => `k${n}: 1\n`);
  const checked = check(VALID_13 + lines.join(""));
  expect(checked.isValid).toBe(false);
  expect(checked.diagnostics).toHaveLength(1001);
  expect(checked.diagnostics.at(-1)).toMatchObject({
    code: "S12",
    message: "at least 29,000 more findings are not shown",
  });
});

test("a file of more than 1 MiB is rejected with a message", () => {
  const checked = check(`${VALID_13}#${" ".repeat(1 << 20)}\n`);
  expect(checked.isReadable).toBe(false);
  expect(checked.diagnostics).toMatchObject([
    { message: "the file must not be larger than 1 MiB" },
  ]);
});
