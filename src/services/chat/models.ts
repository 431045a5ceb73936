import type { ModelsService } from "../../../generated/chat/v1/server.js";
import type { Model } from "../../../generated/chat/v1/schemas.js";
import { findModel } from "./completions.js";
import type { ChatConfig, ChatModel } from "./config.js";
import { checkModelAccess, type Key } from "./keys.js";

/**
 * Returns the handlers for the methods of the resource `models`.
 *
 * @param started start time of the service in seconds since 1970; used for
 *   models without `created` in the config
 */
export function modelHandlers(
  { models }: ChatConfig,
  started: number,
): ModelsService<Key> {
  const toModel = ({ name, created, ownedBy }: ChatModel): Model => ({
    id: name,
    object: "model",
    created: created ?? started,
    owned_by: ownedBy,
  });
  return {
    list({ auth }) {
      const allowed = [...models.values()].filter(
        ({ name }) => auth.models?.has(name) ?? true,
      );
      return { object: "list", data: allowed.map(toModel) };
    },
    get({ params, auth }) {
      const model = findModel(params.model, models);
      checkModelAccess(auth, model.name);
      return toModel(model);
    },
  };
}
