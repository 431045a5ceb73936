import type { Rule } from "../rule.js";
import { descriptionRules } from "./descriptions.js";
import { identityRules } from "./identity.js";
import { mediaRules } from "./media.js";
import { methodRules } from "./methods.js";
import { pagingRules } from "./paging.js";
import { parameterRules } from "./parameters.js";
import { pathRules } from "./paths.js";
import { patternRules } from "./patterns.js";
import { schemaRules } from "./schemas.js";
import { scopeRules } from "./scopes.js";
import { urlRules } from "./urls.js";
import { valueRules } from "./values.js";

/** Rules grouped by area, in the order of the documentation page. */
export const ruleAreas: readonly {
  readonly title: string;
  readonly rules: readonly Rule[];
}[] = [
  { title: "Descriptions", rules: descriptionRules },
  { title: "Ids and revisions", rules: identityRules },
  { title: "Addresses", rules: urlRules },
  { title: "Methods and resources", rules: methodRules },
  { title: "Paths", rules: pathRules },
  { title: "Parameters", rules: parameterRules },
  { title: "Scopes", rules: scopeRules },
  { title: "Pages", rules: pagingRules },
  { title: "Uploads and downloads", rules: mediaRules },
  { title: "Schemas", rules: schemaRules },
  { title: "Values", rules: valueRules },
  { title: "Patterns", rules: patternRules },
];

/**
 * All rules of `gen validate`. Diagnostics of the generator are not included.
 */
export const rules: readonly Rule[] = ruleAreas.flatMap((area) => area.rules);
