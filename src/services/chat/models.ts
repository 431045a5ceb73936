import type { ModelsService } from "../../../generated/chat/v1/server.js";
import type { Model as ModelAnswer } from "../../../generated/chat/v1/schemas.js";
import { findModel } from "./completions.js";
import type { ChatConfig, Model } from "./config.js";
import { checkRight, type Key } from "./keys.js";

/**
 * Tells which models there are.
 *
 * @param started seconds since 1970, for models whose time the config does not tell
 */
export function modelHandlers(
  { models }: ChatConfig,
  started: number,
): ModelsService<Key> {
  const answer = ({ name, created, ownedBy }: Model): ModelAnswer => ({
    id: name,
    object: "model",
    created: created ?? started,
    owned_by: ownedBy,
  });
  return {
    list({ auth }) {
      const seen = [...models.values()].filter(
        ({ name }) => auth.models?.has(name) ?? true,
      );
      return { object: "list", data: seen.map(answer) };
    },
    get({ params, auth }) {
      const model = findModel(params.model, models);
      checkRight(auth, model.name);
      return answer(model);
    },
  };
}
