#!/usr/bin/env node
import { parseArgs } from "node:util";
import { google } from "googleapis";

const { values, positionals } = parseArgs({
  args: process.argv.length > 2 ? process.argv.slice(2) : ["add", "Buy milk"],
  allowPositionals: true,
  options: { list: { type: "string", default: "@default" } },
});
const tasks = google.tasks({ version: "v1", auth: process.env.API_KEY });

switch (positionals[0]) {
  case "add": {
    const { data: task } = await tasks.tasks.insert({
      tasklist: values.list,
      requestBody: { title: positionals.slice(1).join(" ") },
    });
    console.log(`added ${task.id}`);
    break;
  }
  case "done":
    await tasks.tasks.patch({
      tasklist: values.list,
      task: positionals[1],
      requestBody: { status: "completed" },
    });
    break;
  default:
    console.error("usage: tasks add|done");
    process.exit(2);
}
const lists = await tasks.tasklists.list({ maxResults: 20 });
for (const list of lists.data.items || []) console.log("-", list.id);
