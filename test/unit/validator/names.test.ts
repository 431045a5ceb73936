import { expect, test } from "vitest";
import { methodsOf } from "../../../src/model/queries.js";
import {
  contextOf,
  description,
  generateValidators,
} from "../../support/generate.js";
import { loadText } from "../../support/validators.js";

const DOCUMENT = description({
  schemas: {
    File: { id: "File", type: "object" },
    FilesInsertRequest: { id: "FilesInsertRequest", type: "object" },
  },
  resources: {
    files: {
      methods: {
        insert: {
          id: "demo.files.insert",
          path: "files",
          httpMethod: "POST",
          request: { $ref: "File" },
          response: { $ref: "File" },
        },
        list: {
          id: "demo.files.list",
          path: "files",
          httpMethod: "GET",
          response: {
            type: "object",
            properties: { items: { type: "array", items: { $ref: "File" } } },
          },
        },
      },
    },
  },
});

test("names of the file are resolved", async () => {
  const { api, files } = generateValidators(DOCUMENT);
  const [insert, list] = methodsOf(api.root);
  const names = contextOf(api).names.validators;
  expect(Object.fromEntries(names.schemas)).toMatchObject({
    File: "validateFile",
    FilesInsertRequest: "validateFilesInsertRequest",
  });
  expect(names.requests.get(insert!)).toBe("validateFilesInsertRequest2");
  expect(names.responses.get(insert!)).toBe("validateFile");
  expect(names.requests.get(list!)).toBeUndefined();
  expect(names.responses.get(list!)).toBe("validateFilesListResponse");
  const [text = ""] = files.values();
  const exported = Object.keys(await loadText(text));
  const allotted = [
    ...names.schemas.values(),
    ...names.standard.values(),
    ...names.requests.values(),
  ];
  expect(exported.sort()).toEqual(allotted.sort());
});

test("isMissing is imported only for required properties with inherited names", () => {
  const name = "toString";
  const properties = {
    [name]: { type: "string" },
    ["x".repeat(80)]: { type: "any" },
  };
  const schemas = { A: { id: "A", type: "object", properties } };
  const [text] = generateValidators(description({ schemas })).files.values();
  expect(text).not.toContain("isMissing");
});
