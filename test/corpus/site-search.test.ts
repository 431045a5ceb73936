// Questions to the search of a site with all documents: the method that answers one
// is among the first five results for at least 95 %.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { expect, it } from "vitest";
import { Search } from "../../src/site/browser/search.js";
import type { ApiEntry } from "../../src/site/search-index.js";
import { buildSite } from "../../src/site/static/build-site.js";
import { CORPUS, describeCorpus } from "./support.js";

/**
 * Questions by API, with the methods that answer them. A question that does not name
 * its API is asked on a page of this API.
 */
const QUESTIONS: Readonly<
  Record<string, readonly (readonly [string, string])[]>
> = {
  "drive v3": [
    ["upload a file to Drive", "files.create"],
    ["download a file", "files.get"],
    ["convert a document to pdf", "files.export"],
    ["share a file with someone", "permissions.create"],
    ["empty the trash", "files.emptyTrash"],
    ["list files in drive", "files.list"],
    ["make a copy of a file", "files.copy"],
    ["get notified when a file changes", "files.watch"],
    ["reply to a comment", "replies.create"],
    ["storage quota of the user", "about.get"],
  ],
  "gmail v1": [
    ["send mail", "users.messages.send"],
    ["send an email with gmail", "users.messages.send"],
    ["download an attachment", "users.messages.attachments.get"],
    ["move a message to the trash", "users.messages.trash"],
    ["add a label to an email", "users.messages.modify"],
    ["vacation responder", "users.settings.updateVacation"],
    ["search messages", "users.messages.list"],
    ["create a draft", "users.drafts.create"],
  ],
  "calendar v3": [
    ["create an event", "events.insert"],
    ["find free time", "freebusy.query"],
    ["delete a meeting", "events.delete"],
    ["quickly add an event from text", "events.quickAdd"],
    ["share my calendar", "acl.insert"],
    ["occurrences of a recurring event", "events.instances"],
  ],
  "youtube v3": [
    ["upload a video to youtube", "videos.insert"],
    ["search videos", "search.list"],
    ["create a playlist", "playlists.insert"],
    ["add a video to a playlist", "playlistItems.insert"],
    ["set a custom thumbnail", "thumbnails.set"],
    ["like a video", "videos.rate"],
  ],
  "storage v1": [
    ["upload an object", "objects.insert"],
    ["download an object", "objects.get"],
    ["create a bucket", "buckets.insert"],
    ["list objects", "objects.list"],
    ["copy an object to another bucket", "objects.copy"],
  ],
  "bigquery v2": [
    ["run a query", "jobs.query"],
    ["load data from a file", "jobs.insert"],
    ["insert rows", "tabledata.insertAll"],
    ["create a dataset", "datasets.insert"],
    ["cancel a job", "jobs.cancel"],
  ],
  "pubsub v1": [
    ["publish a message", "projects.topics.publish"],
    ["pull messages", "projects.subscriptions.pull"],
    ["create a topic", "projects.topics.create"],
    ["acknowledge messages", "projects.subscriptions.acknowledge"],
  ],
  "compute v1": [
    ["create a virtual machine in compute", "instances.insert"],
    ["stop a vm", "instances.stop"],
    ["attach a disk", "instances.attachDisk"],
    ["create a firewall", "firewalls.insert"],
    ["wait for an operation", "zoneOperations.wait"],
  ],
  "people v1": [
    ["create a contact", "people.createContact"],
    ["search contacts", "people.searchContacts"],
    ["list my contacts", "people.connections.list"],
  ],
  "sheets v4": [
    ["read a range of cells", "spreadsheets.values.get"],
    ["append a row", "spreadsheets.values.append"],
    ["create a spreadsheet", "spreadsheets.create"],
  ],
  "tasks v1": [
    ["add a task", "tasks.insert"],
    ["clear completed tasks", "tasks.clear"],
    ["list task lists", "tasklists.list"],
  ],
  "translate v3": [
    ["translate text", "projects.translateText"],
    ["detect the language", "projects.detectLanguage"],
    ["supported languages", "projects.getSupportedLanguages"],
  ],
};

describeCorpus("search of a site", () => {
  it("answers at least 95 % of the questions with the right method", () => {
    const documents = readdirSync(CORPUS)
      .filter((name) => name.endsWith(".json"))
      .map((name) => readFileSync(path.join(CORPUS, name)));
    let script = "";
    for (const { path: name, text } of buildSite(documents))
      if (name === "search.js") {
        script = text;
        break;
      }
    const context = vm.createContext({});
    vm.runInContext(script, context);
    const search = new Search(context["searchIndex"] as ApiEntry[]);
    const missed = Object.entries(QUESTIONS).flatMap(([api, questions]) =>
      questions.flatMap(([question, method]) => {
        const results = search.find(question, 5, api);
        const isFound = results.some(
          ({ kind, label, detail }) =>
            kind === "method" && label === method && detail.startsWith(api),
        );
        return isFound
          ? []
          : [
              `${question}: ${method}, not ${results.map(({ kind, label }) => `${kind} ${label}`).join(", ")}`,
            ];
      }),
    );
    const total = Object.values(QUESTIONS).flat().length;
    console.info(`${total - missed.length} of ${total} questions`, missed);
    expect(total).toBeGreaterThanOrEqual(60);
    expect(missed.length / total).toBeLessThanOrEqual(0.05);
  }, 120_000);
});
