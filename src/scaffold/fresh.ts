import { quote } from "../render/typescript/code.js";
import type { ModuleSpecifiers } from "./module.js";
import { DEFAULT_STYLE, printMembers } from "./print.js";
import { countHandlers, type ServiceMember } from "./tree.js";

/** Returns the text of a new file with a handler for each method. */
export function freshService(
  title: string,
  members: readonly ServiceMember[],
  { server, runtime }: ModuleSpecifiers,
): string {
  const isUsed = countHandlers(members) > 0;
  const body = isUsed
    ? `{\n${printMembers(members, "  ", DEFAULT_STYLE)}\n}`
    : "{}";
  const error = isUsed ? `import { ApiError } from ${quote(runtime)};\n` : "";
  return `${importOf(`${title}Service`, server, true)}${error}
/** Implementation of the API; missing handlers respond with 501. */
export const service: ${title}Service = ${body};
`;
}

/** Returns the text of a new file that starts an HTTP server. */
export function freshMain(
  title: string,
  { server, runtime }: ModuleSpecifiers,
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
