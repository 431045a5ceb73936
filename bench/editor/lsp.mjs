// Language server of TypeScript 7, a native program.
import { pathToFileURL } from "node:url";
import getExePath from "../../node_modules/typescript/lib/getExePath.js";
import { connect } from "./connection.mjs";

/** Starts the language server, with the same functions as startTsserver. */
export async function startLsp(folder) {
  const connection = connect(getExePath(), ["--lsp", "--stdio"], (message) => {
    const { id, method, result, error } = message;
    // Requests of the server, such as for its configuration.
    if (method !== undefined && id !== undefined)
      send({ id, result: replyTo(message) });
    else if (error !== undefined) connection.reject(id, error.message);
    else if (method === undefined) connection.resolve(id, result);
  });
  const send = (message) => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    const length = Buffer.byteLength(text);
    connection.write(`Content-Length: ${length}\r\n\r\n${text}`);
  };
  const request = (method, params) => {
    const { id, response } = connection.expect(method);
    send({ id, method, params });
    return response;
  };
  const of = (file) => ({ textDocument: { uri: pathToFileURL(file).href } });
  const rootUri = pathToFileURL(folder).href;
  const capabilities = CAPABILITIES;
  await request("initialize", { processId: null, rootUri, capabilities });
  send({ method: "initialized", params: {} });
  let version = 1;
  return {
    open(file, text) {
      const { uri } = of(file).textDocument;
      const textDocument = { uri, languageId: "typescript", version, text };
      send({ method: "textDocument/didOpen", params: { textDocument } });
    },
    async diagnostics(file) {
      const { items } = await request("textDocument/diagnostic", of(file));
      return items.filter(({ severity }) => severity === 1).map(codeOf);
    },
    change(file, start, length, text) {
      version++;
      const { uri } = of(file).textDocument;
      const end = { ...start, character: start.character + length };
      const params = {
        textDocument: { uri, version },
        contentChanges: [{ range: { start, end }, text }],
      };
      send({ method: "textDocument/didChange", params });
    },
    async completion(file, position, triggerCharacter) {
      const context = { triggerKind: 2, triggerCharacter };
      const params = { ...of(file), position, context };
      const { items } = await request("textDocument/completion", params);
      return items.map(({ label }) => label.replace(/\?$/, ""));
    },
    async hover(file, position) {
      const params = { ...of(file), position };
      const { contents } = await request("textDocument/hover", params);
      return contents.value;
    },
    peak: connection.peak,
    close: connection.close,
  };
}

const codeOf = ({ code }) => Number(code);

const CAPABILITIES = {
  textDocument: {
    completion: { completionItem: { snippetSupport: false } },
    diagnostic: {},
    hover: { contentFormat: ["plaintext"] },
  },
};

/** Returns the result of a request of the server: no configuration. */
function replyTo({ method, params }) {
  return method === "workspace/configuration"
    ? params.items.map(() => null)
    : null;
}
