import type { Code } from "../../render/typescript/code.js";
import type { DeclarationView } from "../shared/views.js";

declare module "../../render/engine.js" {
  interface TemplateViews {
    "server/routes": RoutesView;
    "server/server": ServerView;
  }
}

/** Template data for routes.ts, the file with the route table. */
export interface RoutesView {
  readonly banner: Code;
  readonly imports: Code;
  /** Constants that contain the OAuth scopes of the methods. */
  readonly scopes: readonly Code[];
  readonly name: Code;
  readonly Api: Code;
  readonly entries: readonly Code[];
}

/** Template data for server.ts, the file with the service interfaces. */
export interface ServerView {
  readonly banner: Code;
  readonly imports: Code;
  readonly declarations: readonly DeclarationView[];
  /** First line of the function that creates the server. */
  readonly create: Code;
  readonly createServer: Code;
  readonly api: Code;
}
