import { FORMS, suffix, type Cell, type Files, type Tool } from "./cell.js";

type Bundler = "Turbopack" | "webpack";

/** The file that create-next-app 16 writes; `ts` needs one option more. */
const tsconfig = ({ form }: Cell): object => ({
  compilerOptions: {
    target: "ES2017",
    lib: ["dom", "dom.iterable", "esnext"],
    allowJs: true,
    skipLibCheck: true,
    strict: true,
    noEmit: true,
    esModuleInterop: true,
    module: "esnext",
    moduleResolution: "bundler",
    resolveJsonModule: true,
    isolatedModules: true,
    jsx: "react-jsx",
    incremental: true,
    plugins: [{ name: "next" }],
    paths: { "@/*": ["./*"] },
    ...(form === "ts" ? { allowImportingTsExtensions: true } : {}),
  },
  include: [
    "next-env.d.ts",
    "**/*.ts",
    "**/*.tsx",
    ".next/types/**/*.ts",
    ".next/dev/types/**/*.ts",
    "**/*.mts",
  ],
  exclude: ["node_modules"],
});

const LAYOUT = `import type { ReactNode } from "react";
export default function Layout({ children }: { children: ReactNode }) {
  return <html><body>{children}</body></html>;
}
`;

/** A server component calls the client while it is rendered, not in the build. */
const page = (
  rootUrl: string,
): string => `import { exercise } from "../src/exercise";
import { Browser } from "./browser";
export const dynamic = "force-dynamic";
export default async function Page() {
  return <main><p>{"component " + (await exercise("${rootUrl}"))}</p><Browser /></main>;
}
`;

/** The client is part of the bundle for browsers. */
const browser = (rootUrl: string): string => `"use client";
import { useState } from "react";
import { exercise } from "../src/exercise";
export function Browser() {
  const [text, setText] = useState("run");
  const run = () => void exercise("${rootUrl}").then(setText);
  return <button onClick={run}>{text}</button>;
}
`;

const route = (
  rootUrl: string,
): string => `import { exercise } from "../../src/exercise";
export const dynamic = "force-dynamic";
export async function GET() {
  return new Response("route " + (await exercise("${rootUrl}")));
}
`;

/** The generated server as a route handler. */
const server = (form: Cell["form"]): string => {
  const output = form === "emit" ? "generated" : "src/generated";
  return `import { createDriveServer } from "../../../${output}/drive/v3/server${suffix(form)}";
const server = createDriveServer(
  { files: { get: ({ params }) => ({ id: params.fileId, name: "served ok" }) } },
  { basePath: "/api" },
);
export const GET = (request: Request) => server.fetch(request);
`;
};

/** Starts the built application, and prints "ok" if its three parts respond. */
const VISIT = `import { spawn } from "node:child_process";
const next = "../../node_modules/next/dist/bin/next";
const args = [next, "start", "--hostname", "127.0.0.1", "--port", "0"];
const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
let output = "";
const root = await new Promise((resolve, reject) => {
  child.stdout.on("data", (data) => {
    output += data;
    const url = /Local:\\s+(http:\\S+)/.exec(output)?.[1];
    if (url && output.includes("Ready")) resolve(url);
  });
  child.on("exit", () => reject(new Error(output)));
});
const expected = {
  "/": "component ok",
  "/run": "route ok",
  "/api/drive/v3/files/7": "served ok",
};
try {
  for (const [path, text] of Object.entries(expected)) {
    const body = await (await fetch(root + path)).text();
    if (!body.includes(text)) throw new Error(path + ": " + body + output);
  }
  console.log("ok");
} finally {
  child.kill();
}
`;

const files = (bundler: Bundler, cell: Cell): Files => ({
  "package.json": { private: true },
  "tsconfig.json": tsconfig(cell),
  "app/layout.tsx": LAYOUT,
  "app/page.tsx": page(cell.rootUrl),
  "app/browser.tsx": browser(cell.rootUrl),
  "app/run/route.ts": route(cell.rootUrl),
  "app/api/[...path]/route.ts": server(cell.form),
  "src/exercise.ts": cell.program,
  "visit.mjs": VISIT,
  ...(bundler === "webpack" && cell.form === "js"
    ? { "next.config.mjs": EXTENSION_ALIAS }
    : {}),
});

const EXTENSION_ALIAS = `export default {
  webpack(config) {
    config.resolve.extensionAlias = { ".js": [".ts", ".js"] };
    return config;
  },
};
`;

const NOTES = {
  Turbopack:
    "`ts`: `allowImportingTsExtensions`; `js`: Turbopack does not map `.js` to `.ts`",
  webpack:
    '`ts`: `allowImportingTsExtensions`; `js`: `config.resolve.extensionAlias = { ".js": [".ts", ".js"] }`',
} as const;

/** Next.js with the tsconfig.json of its template: `target` is ES2017. */
export const next = (bundler: Bundler): Tool => ({
  name: `Next.js, ${bundler}`,
  package: "next",
  works: bundler === "webpack" ? FORMS : ["ts", "none", "emit"],
  notes: NOTES[bundler],
  files: (cell) => files(bundler, cell),
  commands: () => [
    ["next", "build", `--${bundler.toLowerCase()}`],
    ["node", "visit.mjs"],
  ],
});
