import { UsageError, type Command } from "../command.js";
import { mockOptions, serveMock, type MockValues } from "./serve-mock.js";

/** Serves until it is told to end. */
export const serve: Command = {
  options: [
    {
      name: "port",
      kind: "text",
      value: "number",
      default: "8080",
      description: "where to listen; 0 for a free port",
    },
    {
      name: "host",
      kind: "text",
      value: "address",
      default: "127.0.0.1",
      description: "address to listen on",
    },
    ...mockOptions,
  ],
  variables: "SERVE_",
  run: async (values, context) => {
    if (values["mock"] !== true) throw new UsageError("serve needs --mock");
    return serveMock(values as unknown as MockValues, context);
  },
};
