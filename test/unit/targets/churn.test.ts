import { diffLines } from "diff";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  generateClient,
  generateServer,
  generateValidators,
  type Generated,
} from "../../support/generate.js";
import { ROOT } from "../../support/paths.js";

type Json = Record<string, any>;

/** Edit that adds one member to a description. */
type Addition = (document: Json) => void;

const method = (id: string, path: string): Json => ({
  id,
  path,
  httpMethod: "GET",
  description: "Returns one archive.",
  parameters: {
    archive: { type: "string", location: "path", required: true },
  },
  parameterOrder: ["archive"],
  response: { $ref: "Migration" },
});

/** Additions to specs/migration.v1.json, in the middle of what exists. */
const ADDITIONS: Readonly<Record<string, Addition>> = {
  "a method": ({ resources }) => {
    resources.migrations.methods.getArchive = method(
      "migration.migrations.getArchive",
      "archives/{archive}",
    );
  },
  "a method with features that no other method has": ({ resources }) => {
    resources.migrations.methods.abort = {
      ...method("migration.migrations.abort", "archives/{archive}/abort"),
      httpMethod: "POST",
      request: { $ref: "StartMigrationRequest" },
      supportsMediaUpload: true,
      mediaUpload: {
        accept: ["*/*"],
        protocols: {
          simple: { multipart: true, path: "/upload/archives/{archive}" },
        },
      },
      supportsMediaDownload: true,
      scopes: ["admin:org"],
    };
  },
  "a resource": ({ resources }) => {
    resources.archives = {
      methods: {
        get: method("migration.archives.get", "archives/{archive}"),
      },
    };
  },
  "an optional parameter": ({ resources }) => {
    resources.migrations.methods.listForOrg.parameters.filter = {
      type: "string",
      location: "query",
      description: "Filter of migrations.",
    };
  },
  "a property": ({ schemas }) => {
    schemas.Owner.properties.nickname = {
      type: "string",
      description: "Name that others use.",
    };
  },
  "a property of an enum type": ({ schemas }) => {
    schemas.Owner.properties.color = {
      type: "string",
      enum: ["blue", "red"],
      enumDescriptions: ["The color of the sky.", "The color of a rose."],
    };
  },
  "an enum value": ({ schemas }) => {
    const { state } = schemas.Migration.properties;
    state.enum.push("paused");
    state.enumDescriptions?.push("The migration is paused.");
  },
  "a schema": ({ schemas }) => {
    schemas.Nickname = {
      id: "Nickname",
      type: "object",
      properties: { text: { type: "string" } },
    };
  },
  "a scope": ({ auth }) => {
    auth.oauth2.scopes["https://www.example.com/auth/more"] = {
      description: "Do more.",
    };
  },
};

const TARGETS = {
  client: generateClient,
  validator: generateValidators,
  server: generateServer,
} as const;

const document = (): Json =>
  JSON.parse(
    readFileSync(path.join(ROOT, "specs/migration.v1.json"), "utf8"),
  ) as Json;

/**
 * Counts, for each changed file, the lines of the smaller output that an addition
 * changes. All other changed lines belong to the added member.
 */
function changedLines(
  { files: before }: Generated,
  { files: after }: Generated,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [name, text] of before) {
    const now = after.get(name);
    if (now === text) continue;
    const removed = diffLines(text, now ?? "").filter((part) => part.removed);
    const count = removed.reduce((sum, part) => sum + part.count, 0);
    if (count > 0) counts[name.replace("migration/v1/", "")] = count;
  }
  return counts;
}

for (const [target, generate] of Object.entries(TARGETS))
  describe(`lines of the ${target} that change if a member is added`, () => {
    const before = generate(document());
    test.each(Object.entries(ADDITIONS))("%s", (_, add) => {
      const edited = document();
      add(edited);
      const counts = changedLines(before, generate(edited));
      expect(Object.entries(counts).filter(([, count]) => count > 1)).toEqual(
        [],
      );
    });
  });
