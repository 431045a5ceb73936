// tsserver of TypeScript 6, with the requests that editors send.
import path from "node:path";
import { ROOT } from "../support.mjs";
import { connect } from "./connection.mjs";

/** Starts tsserver; positions have `line` and `character` from 0. */
export async function startTsserver() {
  const program = path.join(ROOT, "node_modules/ts6/lib/tsserver.js");
  const options = ["--disableAutomaticTypingAcquisition"];
  const connection = connect(
    process.execPath,
    [program, ...options],
    (message) => {
      if (message.type !== "response") return;
      const { request_seq: id, success, body } = message;
      if (success) connection.resolve(id, body);
      else connection.reject(id, message.message);
    },
  );
  const write = (seq, command, args) =>
    connection.write(
      `${JSON.stringify({ seq, type: "request", command, arguments: args })}\n`,
    );
  const request = (command, args) => {
    const { id, response } = connection.expect(command);
    write(id, command, args);
    return response;
  };
  const at = ({ line, character }) => ({
    line: line + 1,
    offset: character + 1,
  });
  await request("configure", { hostInfo: "bench" });
  return {
    open: (file, text) =>
      write(0, "open", { file, fileContent: text, scriptKindName: "TS" }),
    async diagnostics(file) {
      const found = await request("semanticDiagnosticsSync", { file });
      return found.map(({ code }) => code);
    },
    change(file, position, length, insertString) {
      const { line, offset } = at(position);
      const [endLine, endOffset] = [line, offset + length];
      const place = { file, line, offset, endLine, endOffset };
      write(0, "change", { ...place, insertString });
    },
    async completion(file, position, triggerCharacter) {
      const args = { file, ...at(position), triggerCharacter };
      const { entries } = await request("completionInfo", args);
      return entries.map(({ name }) => name);
    },
    async hover(file, position) {
      const args = { file, ...at(position) };
      return (await request("quickinfo", args)).displayString;
    },
    peak: connection.peak,
    close: connection.close,
  };
}
