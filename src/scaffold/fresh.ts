import { quote } from "../render/typescript/code.js";
import type { Modules } from "./module.js";
import { PLAIN, printMembers } from "./print.js";
import { countHandlers, type Member } from "./tree.js";

/** A new file with a handler for each method. */
export function freshService(
  title: string,
  members: readonly Member[],
  { server, runtime }: Modules,
): string {
  const isUsed = countHandlers(members) > 0;
  const body = isUsed ? `{\n${printMembers(members, "  ", PLAIN)}\n}` : "{}";
  const error = isUsed ? `import { ApiError } from ${quote(runtime)};\n` : "";
  return `${importOf(`${title}Service`, server, true)}${error}
/** What serves the API. Handlers that are missing answer 501. */
export const service: ${title}Service = ${body};
`;
}

/** A new file that listens. */
export function freshMain(
  title: string,
  { server, runtime }: Modules,
  service: string,
): string {
  return `import http from "node:http";
${importOf(`create${title}Server`, server, false)}${importOf("listen", runtime, false)}import { service } from ${quote(service)};

const server = create${title}Server(service, {
  log: ({ method, status, error }) => console.log(method?.id, status, error),
});
const port = Number(process.env["PORT"] ?? 8080);
const listening = await listen(http, server, { port });
console.log(\`listening on http://127.0.0.1:\${listening.port}\`);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => void listening.close());
`;
}

function importOf(name: string, module: string, isType: boolean): string {
  return `import ${isType ? "type " : ""}{ ${name} } from ${quote(module)};\n`;
}
