// Server that accepts uploads and discards them, in a separate process.
import { createServer } from "node:http";

const server = createServer((request, response) => {
  request.resume().on("end", () => {
    const range = request.headers["content-range"] ?? "";
    const [, last, total] = /-(\d+)\/(\d+|\*)/.exec(range) ?? [];
    const { host } = request.headers;
    if (request.url.includes("uploadType=resumable"))
      response.setHeader("location", `http://${host}/session`);
    else if (last && Number(last) + 1 !== Number(total))
      response.writeHead(308, { range: `bytes=0-${last}` });
    response.end();
  });
});
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.once("disconnect", () => process.exit());
