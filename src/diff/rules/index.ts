// This file has more than 250 lines, because it contains a table with one row
// per rule.

import type { Rule, Subject } from "../rule.js";
import { apiAdded } from "./document/api-added.js";
import { apiRemoved } from "./document/api-removed.js";
import { descriptionRules } from "./description-changed.js";
import { otherChanged } from "./other-changed.js";
import { documentFieldChanged } from "./api/document-field-changed.js";
import { rootUrlChanged } from "./api/root-url-changed.js";
import { servicePathChanged } from "./api/service-path-changed.js";
import { batchPathChanged } from "./api/batch-path-changed.js";
import { batchPathRemoved } from "./api/batch-path-removed.js";
import { endpointRemoved } from "./api/endpoint-removed.js";
import { endpointChanged } from "./api/endpoint-changed.js";
import { endpointAdded } from "./api/endpoint-added.js";
import { apiNameChanged } from "./api/api-name-changed.js";
import { declaredScopeRemoved } from "./api/declared-scope-removed.js";
import { declaredScopeAdded } from "./api/declared-scope-added.js";
import { featureChanged } from "./api/feature-changed.js";
import { informationChanged } from "./api/information-changed.js";
import { methodAdded } from "./method/method-added.js";
import { methodRemoved } from "./method/method-removed.js";
import { methodRenamed } from "./method/method-renamed.js";
import { methodMoved } from "./method/method-moved.js";
import { methodIdChanged } from "./method/method-id-changed.js";
import { exportRenamed } from "./method/export-renamed.js";
import { httpMethodChanged } from "./method/http-method-changed.js";
import { pathChanged } from "./method/path-changed.js";
import { pathParameterRenamed } from "./method/path-parameter-renamed.js";
import { flatPathChanged } from "./method/flat-path-changed.js";
import { requestAdded } from "./method/request-added.js";
import { requestRemoved } from "./method/request-removed.js";
import { responseAdded } from "./method/response-added.js";
import { responseRemoved } from "./method/response-removed.js";
import { bodyMemberRequired } from "./method/body-member-required.js";
import { bodyMemberOptional } from "./method/body-member-optional.js";
import { scopeRemoved } from "./method/scope-removed.js";
import { scopeAdded } from "./method/scope-added.js";
import { scopesRequired } from "./method/scopes-required.js";
import { scopesDropped } from "./method/scopes-dropped.js";
import { uploadAdded } from "./method/upload-added.js";
import { uploadRemoved } from "./method/upload-removed.js";
import { uploadProtocolRemoved } from "./method/upload-protocol-removed.js";
import { uploadPathChanged } from "./method/upload-path-changed.js";
import { uploadLimited } from "./method/upload-limited.js";
import { uploadExtended } from "./method/upload-extended.js";
import { downloadAdded } from "./method/download-added.js";
import { downloadRemoved } from "./method/download-removed.js";
import { methodDeprecated } from "./method/method-deprecated.js";
import { methodUndeprecated } from "./method/method-undeprecated.js";
import { apiVersionChanged } from "./method/api-version-changed.js";
import { callTypeChanged } from "./method/call-type-changed.js";
import { responseHeaderRemoved } from "./method/response-header-removed.js";
import { responseHeaderAdded } from "./method/response-header-added.js";
import { methodExtensionChanged } from "./method/method-extension-changed.js";
import { parameterAdded } from "./parameter/parameter-added.js";
import { requiredParameterAdded } from "./parameter/required-parameter-added.js";
import { parameterRemoved } from "./parameter/parameter-removed.js";
import { parameterRequired } from "./parameter/parameter-required.js";
import { parameterOptional } from "./parameter/parameter-optional.js";
import { parameterLocationChanged } from "./parameter/parameter-location-changed.js";
import { parameterRepeated } from "./parameter/parameter-repeated.js";
import { parameterNotRepeated } from "./parameter/parameter-not-repeated.js";
import { parameterDeprecated } from "./parameter/parameter-deprecated.js";
import { parameterUndeprecated } from "./parameter/parameter-undeprecated.js";
import { propertyAdded } from "./property/property-added.js";
import { requiredPropertyAdded } from "./property/required-property-added.js";
import { propertyRemoved } from "./property/property-removed.js";
import { propertyRequired } from "./property/property-required.js";
import { propertyOptional } from "./property/property-optional.js";
import { propertyReadOnly } from "./property/property-read-only.js";
import { propertyWritable } from "./property/property-writable.js";
import { propertyDeprecated } from "./property/property-deprecated.js";
import { propertyUndeprecated } from "./property/property-undeprecated.js";
import { schemaAdded } from "./schema/schema-added.js";
import { schemaRemoved } from "./schema/schema-removed.js";
import { schemaRenamed } from "./schema/schema-renamed.js";
import { schemaReplaced } from "./schema/schema-replaced.js";
import { typeNameChanged } from "./schema/type-name-changed.js";
import { inputTypeRemoved } from "./schema/input-type-removed.js";
import { undeclaredPropertiesAllowed } from "./schema/undeclared-properties-allowed.js";
import { undeclaredPropertiesRemoved } from "./schema/undeclared-properties-removed.js";
import { variantOptionRemoved } from "./schema/variant-option-removed.js";
import { variantOptionAdded } from "./schema/variant-option-added.js";
import { discriminantChanged } from "./schema/discriminant-changed.js";
import { schemaDeprecated } from "./schema/schema-deprecated.js";
import { typeChanged } from "./value/type-changed.js";
import { arrayChanged } from "./value/array-changed.js";
import { typeWidened } from "./value/type-widened.js";
import { typeNarrowed } from "./value/type-narrowed.js";
import { integerWidened } from "./value/integer-widened.js";
import { integerNarrowed } from "./value/integer-narrowed.js";
import { enumAdded } from "./value/enum-added.js";
import { enumRemoved } from "./value/enum-removed.js";
import { formatNarrowed } from "./value/format-narrowed.js";
import { formatWidened } from "./value/format-widened.js";
import { formatChanged } from "./value/format-changed.js";
import { doubleAdded } from "./value/double-added.js";
import { doubleRemoved } from "./value/double-removed.js";
import { patternChanged } from "./value/pattern-changed.js";
import { patternRemoved } from "./value/pattern-removed.js";
import { limitNarrowed } from "./value/limit-narrowed.js";
import { limitWidened } from "./value/limit-widened.js";
import { defaultAdded } from "./value/default-added.js";
import { defaultChanged } from "./value/default-changed.js";
import { defaultRemoved } from "./value/default-removed.js";
import { nullableAdded } from "./value/nullable-added.js";
import { nullableRemoved } from "./value/nullable-removed.js";
import { enumValueRemoved } from "./enum/enum-value-removed.js";
import { enumValueAdded } from "./enum/enum-value-added.js";
import { enumValueDeprecated } from "./enum/enum-value-deprecated.js";
import { enumClosed } from "./enum/enum-closed.js";
import { enumOpened } from "./enum/enum-opened.js";

/**
 * Rules, grouped by kind of object. The rules for an object run in the order of
 * this table.
 */
export const rules: readonly Rule<any>[] = [
  apiAdded,
  apiRemoved,
  rootUrlChanged,
  servicePathChanged,
  batchPathChanged,
  batchPathRemoved,
  endpointRemoved,
  endpointChanged,
  endpointAdded,
  apiNameChanged,
  declaredScopeRemoved,
  declaredScopeAdded,
  featureChanged,
  informationChanged,
  documentFieldChanged,
  methodAdded,
  methodRemoved,
  methodRenamed,
  methodMoved,
  methodIdChanged,
  exportRenamed,
  httpMethodChanged,
  pathChanged,
  pathParameterRenamed,
  flatPathChanged,
  requestAdded,
  requestRemoved,
  responseAdded,
  responseRemoved,
  bodyMemberRequired,
  bodyMemberOptional,
  scopeRemoved,
  scopeAdded,
  scopesRequired,
  scopesDropped,
  uploadAdded,
  uploadRemoved,
  uploadProtocolRemoved,
  uploadPathChanged,
  uploadLimited,
  uploadExtended,
  downloadAdded,
  downloadRemoved,
  methodDeprecated,
  methodUndeprecated,
  apiVersionChanged,
  callTypeChanged,
  responseHeaderRemoved,
  responseHeaderAdded,
  methodExtensionChanged,
  parameterAdded,
  requiredParameterAdded,
  parameterRemoved,
  parameterRequired,
  parameterOptional,
  parameterLocationChanged,
  parameterRepeated,
  parameterNotRepeated,
  parameterDeprecated,
  parameterUndeprecated,
  propertyAdded,
  requiredPropertyAdded,
  propertyRemoved,
  propertyRequired,
  propertyOptional,
  propertyReadOnly,
  propertyWritable,
  propertyDeprecated,
  propertyUndeprecated,
  schemaAdded,
  schemaRemoved,
  schemaRenamed,
  schemaReplaced,
  typeNameChanged,
  inputTypeRemoved,
  undeclaredPropertiesAllowed,
  undeclaredPropertiesRemoved,
  variantOptionRemoved,
  variantOptionAdded,
  discriminantChanged,
  schemaDeprecated,
  typeChanged,
  arrayChanged,
  typeWidened,
  typeNarrowed,
  integerWidened,
  integerNarrowed,
  enumAdded,
  enumRemoved,
  formatNarrowed,
  formatWidened,
  formatChanged,
  doubleAdded,
  doubleRemoved,
  patternChanged,
  patternRemoved,
  limitNarrowed,
  limitWidened,
  defaultAdded,
  defaultChanged,
  defaultRemoved,
  nullableAdded,
  nullableRemoved,
  enumValueRemoved,
  enumValueAdded,
  enumValueDeprecated,
  enumClosed,
  enumOpened,
  ...descriptionRules,
  otherChanged,
];

const bySubject = new Map<Subject, Rule<any>[]>();
for (const rule of rules as readonly Rule[]) {
  const list = bySubject.get(rule.on);
  if (list === undefined) bySubject.set(rule.on, [rule]);
  else list.push(rule);
}

/** Returns the rules that apply to a kind of object. */
export function rulesOn<S extends Subject>(subject: S): readonly Rule<S>[] {
  return bySubject.get(subject) ?? [];
}
