// Processes of services-chat.mjs: the fake back end, or the chat service that calls it.
// Usage: chat-app.mjs back | chat-app.mjs BUNDLE BASE_URL; sends its port when it listens.
import http from "node:http";

const [what, baseUrl] = process.argv.slice(2);
process.once("disconnect", () => process.exit());

/** Streams numbers: the first immediately, then one each `pause` milliseconds. */
function back() {
  const chunk = (content) =>
    `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"${content}"},"logprobs":null,"finish_reason":null}]}\n\n`;
  const server = http.createServer((request, response) => {
    let text = "";
    request.on("data", (piece) => (text += piece));
    request.on("end", () => {
      const { count, pause } = JSON.parse(text);
      response.writeHead(200, { "content-type": "text/event-stream" });
      let next = 0;
      const say = () => {
        response.write(chunk(` ${next++}`));
        if (next === count) response.end("data: [DONE]\n\n");
        else setTimeout(say, pause);
      };
      say();
    });
  });
  server.listen(0, "127.0.0.1", () => process.send(server.address().port));
}

async function service() {
  const { serve } = await import(what);
  const origin = await serve(baseUrl);
  process.send(Number(new URL(origin).port));
}

if (what === "back") back();
else await service();
