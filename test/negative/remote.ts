import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Code } from "../../src/diagnostics/catalogue.js";
import type { Diagnostic } from "../../src/diagnostics/types.js";
import { generate } from "../../src/index.js";
import { temporaryFolder } from "../support/paths.js";
import {
  documentServer,
  Project,
  type RunResult,
} from "../unit/remote/project.js";
import { shop } from "../unit/remote/support.js";

type Server = Awaited<ReturnType<typeof documentServer>>;

/** Returns the findings of a run for a project with a locked document. */
const locked = async (
  run: (project: Project, server: Server) => Promise<RunResult>,
): Promise<readonly Diagnostic[]> => {
  const server = await documentServer();
  const project = new Project(server);
  await project.update();
  return (await run(project, server)).diagnostics;
};

/** Returns the findings of a first update with changed options or server. */
const fresh = async (
  options: Parameters<Project["update"]>[0],
  change: (server: Server) => void = () => {},
  id = "shop:v1",
): Promise<readonly Diagnostic[]> => {
  const server = await documentServer();
  change(server);
  const apis = [{ id, file: "specs/shop.v1.json" }];
  return (await new Project(server).update(options, apis)).diagnostics;
};

/** Reproductions of the codes of remote documents. */
export const remote: Partial<
  Record<Code, () => Promise<readonly Diagnostic[]>>
> = {
  "remote-refused": () => fresh({ allowPrivate: false }),
  "remote-header": () =>
    fresh({
      environment: { env: { GEN_HEADERS: '{"a.example":{"x":"secret"}}' } },
    }),
  "remote-unknown": () => fresh({}, undefined, "shop:v9"),
  "remote-failed": () =>
    fresh({}, (server) => {
      server.respond = (_, response) => void response.writeHead(403).end();
    }),
  "remote-response": () =>
    fresh({}, (server) => {
      server.document = "<html>";
    }),
  "remote-offline": () => fresh({ isOffline: true }),
  "remote-stale": async () => {
    const server = await documentServer();
    const spec = `${server.origin}/discovery/v1/apis/shop/v1/rest`;
    const options = {
      spec,
      out: "out",
      cwd: temporaryFolder(),
      allowHttp: true,
      allowPrivate: true,
    };
    await generate(options);
    server.respond = (_, response) => void response.writeHead(403).end();
    return (await generate(options)).diagnostics;
  },
  "remote-mismatch": () =>
    fresh({}, (server) => {
      server.document = { ...shop(), version: "v2" };
    }),
  "remote-older": () =>
    locked((project, server) => {
      server.document = shop("20200101");
      return project.update();
    }),
  "remote-shrunk": () =>
    locked((project, server) => {
      server.document = shop("20250101", { schemas: {} });
      return project.update();
    }),
  "remote-gone": () =>
    locked((project, server) => {
      server.respond = (_, response) => void response.writeHead(404).end();
      return project.update();
    }),
  "lock-invalid": () =>
    locked((project) => {
      writeFileSync(path.join(project.cwd, "gen.lock.json"), "<<<<<<< ours\n");
      return project.ensure();
    }),
  "lock-mismatch": () =>
    locked((project) => {
      rmSync(path.join(project.cwd, "gen.lock.json"));
      return project.ensure({ isFrozen: true });
    }),
  "document-missing": () =>
    locked((project) => {
      rmSync(path.join(project.cwd, "specs"), { recursive: true });
      return project.ensure({ isFrozen: true });
    }),
};
