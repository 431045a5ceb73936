// Server of the loopback rows in a separate process; responds immediately.
import { createServer } from "node:http";
import { file, page } from "./fixtures.mjs";

const tiny = Buffer.from(file);
const large = Buffer.from(page);
const server = createServer((request, response) => {
  const body = request.url.startsWith("/drive/v3/files/") ? tiny : large;
  response.writeHead(200, {
    "content-type": "application/json; charset=UTF-8",
    "content-length": body.length,
  });
  response.end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.once("disconnect", () => process.exit());
