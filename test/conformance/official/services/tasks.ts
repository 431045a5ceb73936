import {
  countOf,
  known,
  pageOf,
  text,
  type Asked,
  type Fields,
} from "./service.js";

interface TaskList {
  readonly meta: Fields;
  /** Tasks in display order. */
  tasks: Fields[];
}

/** Task lists, as far as clients of Tasks need them. */
export function tasksService(): object {
  const lists = new Map<string, TaskList>();
  let count = 0;
  const listOf = ({ params }: Asked): TaskList =>
    known(lists, text(params, "tasklist"), "Task list");
  const taskOf = (call: Asked): Fields => {
    const { tasks } = listOf(call);
    const byId = new Map(tasks.map((task) => [String(task["id"]), task]));
    return known(byId, text(call.params, "task"), "Task");
  };
  const remove = (call: Asked): Fields => {
    const task = taskOf(call);
    const list = listOf(call);
    list.tasks = list.tasks.filter((one) => one !== task);
    return task;
  };
  const insert = (call: Asked, task: Fields): Fields => {
    const { tasks } = listOf(call);
    const previous = text(call.params, "previous");
    const at = tasks.findIndex(({ id }) => id === previous);
    tasks.splice(at + 1, 0, task);
    return task;
  };
  return {
    tasklists: {
      insert({ body }: Asked) {
        const id = `list-${++count}`;
        const meta = { ...body, id, kind: "tasks#taskList" };
        lists.set(id, { meta, tasks: [] });
        return meta;
      },
      get: (call: Asked) => listOf(call).meta,
      patch: (call: Asked) => Object.assign(listOf(call).meta, call.body),
      list({ params }: Asked) {
        const all = [...lists.values()].map(({ meta }) => meta);
        const size = countOf(params, "maxResults", 1000);
        return { kind: "tasks#taskLists", ...pageOf(all, params, size) };
      },
      delete(call: Asked) {
        listOf(call);
        lists.delete(text(call.params, "tasklist"));
      },
    },
    tasks: {
      insert(call: Asked) {
        const id = `task-${++count}`;
        const usual = { status: "needsAction", kind: "tasks#task" };
        return insert(call, { ...usual, ...call.body, id });
      },
      get: taskOf,
      update: (call: Asked) => Object.assign(taskOf(call), call.body),
      patch: (call: Asked) => Object.assign(taskOf(call), call.body),
      list(call: Asked) {
        const size = countOf(call.params, "maxResults", 20);
        const page = pageOf(listOf(call).tasks, call.params, size);
        return { kind: "tasks#tasks", ...page };
      },
      move: (call: Asked) => insert(call, remove(call)),
      delete: (call: Asked) => void remove(call),
      clear(call: Asked) {
        const list = listOf(call);
        list.tasks = list.tasks.filter(({ status }) => status !== "completed");
      },
    },
  };
}
