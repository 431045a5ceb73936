import { describe, expect, test } from "vitest";
import type { DiffSection } from "../../../src/config/gen-config.js";
import { diffDocuments } from "../../../src/diff/diff-documents.js";
import { DiffPolicy, type PolicyOptions } from "../../../src/diff/policy.js";
import type { RawDocument } from "../../../src/load/raw.js";
import { shelfDocument, type Json } from "./document.js";

const TODAY = "2026-11-23";
const TOUCH = {
  api: "shelf:v1",
  rule: "method-removed",
  at: "shelf.books.delete",
  reason: "replaced by archive",
};

/** Removes a method, adds one, and deprecates another. */
function edited(): Json {
  const document = shelfDocument();
  const { methods } = document["resources"].books;
  delete methods.delete;
  methods.touch = {
    id: "shelf.books.touch",
    path: "books:touch",
    httpMethod: "POST",
  };
  methods.sort.deprecated = true;
  return document;
}

function judged(section: DiffSection, options: PolicyOptions = {}) {
  const policy = new DiffPolicy(section, { today: TODAY, ...options });
  const { changes, bump } = policy.apply(
    diffDocuments(shelfDocument() as RawDocument, edited() as RawDocument),
  );
  return {
    rules: changes.map(({ rule }) => rule),
    failing: changes.filter((one) => policy.fails(one)).map(({ rule }) => rule),
    codes: policy.diagnostics().map(({ code }) => code),
    bump,
    changes,
  };
}

describe("policy of diffs", () => {
  test("without settings, breaking changes fail", () => {
    const { rules, failing, codes, bump } = judged({});
    expect(rules[0]).toBe("method-removed");
    expect(rules).toContain("method-added");
    expect(failing).toEqual(["method-removed"]);
    expect(codes).toEqual([]);
    expect(bump).toBe("major");
  });

  test("severities of rules", () => {
    const { rules, failing } = judged({
      rules: { "method-added": "none", "method-deprecated": "breaking" },
    });
    expect(rules).not.toContain("method-added");
    expect(failing.sort()).toEqual(["method-deprecated", "method-removed"]);
  });

  test("only the selected audiences count", () => {
    const added = shelfDocument();
    delete added["resources"].books.methods.delete;
    const policy = new DiffPolicy({}, { audiences: ["client"] });
    const { changes } = policy.apply(
      diffDocuments(added as RawDocument, shelfDocument() as RawDocument),
    );
    expect(changes).toMatchObject([
      { rule: "method-added", client: "info", server: "info", types: "info" },
    ]);
    const servers = new DiffPolicy(
      { failOn: "warning" },
      { audiences: ["server"] },
    );
    const [change] = servers.apply(
      diffDocuments(added as RawDocument, shelfDocument() as RawDocument),
    ).changes;
    expect(servers.fails(change!)).toBe(true);
  });

  test("failOn of each audience, and of the command line", () => {
    expect(judged({ failOn: "none" }).failing).toEqual([]);
    expect(judged({ failOn: "warning" }).failing).toContain("method-added");
    expect(judged({ failOn: { client: "warning" } }).failing.sort()).toEqual([
      "method-deprecated",
      "method-removed",
    ]);
    expect(judged({ failOn: { types: "none" } }).failing).toEqual([]);
    expect(judged({ failOn: "none" }, { failOn: "any" }).failing.length).toBe(
      judged({}).rules.length,
    );
  });

  test("accepted changes do not fail, and have a reason", () => {
    const { failing, codes, changes, bump } = judged({ accept: [TOUCH] });
    expect(failing).toEqual([]);
    expect(codes).toEqual([]);
    expect(bump).toBe("minor");
    const accepted = changes.find(({ rule }) => rule === "method-removed");
    expect(accepted).toMatchObject({ client: "info", accepted: TOUCH });
  });

  test("entries apply until their date", () => {
    const onDay = judged({ accept: [{ ...TOUCH, until: TODAY }] });
    expect(onDay.failing).toEqual([]);
    const after = judged({ accept: [{ ...TOUCH, until: "2026-11-22" }] });
    expect(after.failing).toEqual(["method-removed"]);
    expect(after.codes).toEqual(["diff-accept-expired"]);
  });

  test("unused entries are reported for compared APIs only", () => {
    const unused = { ...TOUCH, at: "shelf.books.other" };
    const other = { ...TOUCH, api: "drive:v3" };
    expect(judged({ accept: [unused, other] }).codes).toEqual([
      "diff-accept-unused",
    ]);
  });

  test("unknown rules", () => {
    const policy = new DiffPolicy({
      rules: { "method-add": "none" },
      accept: [{ ...TOUCH, rule: "nothing" }],
    });
    expect(policy.diagnostics()).toMatchObject([
      { code: "config-value", message: expect.stringMatching(/method-added/) },
      { code: "config-value", pointer: "/diff/accept/0/rule" },
    ]);
  });
});
