import { google, type tasks_v1 } from "googleapis";

class Todo {
  private readonly tasks: tasks_v1.Tasks;
  constructor(key: string) {
    this.tasks = google.tasks({ version: "v1", auth: key });
  }
  async add(title: string): Promise<tasks_v1.Schema$Task> {
    const params: tasks_v1.Params$Resource$Tasks$Insert = {
      tasklist: "@default",
      requestBody: { title },
    };
    return (await this.tasks.tasks.insert(params)).data;
  }
  async done(task: string): Promise<void> {
    await this.tasks.tasks.patch({
      tasklist: "@default",
      task,
      requestBody: { status: "completed" },
    });
    await this.tasks.tasks.delete({ tasklist: "@default", task });
  }
}

const todo = new Todo("key");
const task = await todo.add("write");
await todo.done(task.id!);
console.log(task.id);
