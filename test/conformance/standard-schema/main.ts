// Generated schemas in libraries that accept Standard Schema. Copied beside the
// output of demo.v1.json and type-checked there; prints what each library
// answers to a valid and to an invalid value.
import { sValidator } from "@hono/standard-validator";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { call, os } from "@orpc/server";
import type {
  StandardJSONSchemaV1,
  StandardSchemaV1,
} from "@standard-schema/spec";
import { FieldApi, FormApi } from "@tanstack/form-core";
import { initTRPC } from "@trpc/server";
import { Hono } from "hono";
import {
  bookJsonSchema,
  booksCreateRequestJsonSchema,
  booksPatchRequestJsonSchema,
} from "./generated/demo/v1/json-schemas.js";
import type { Book } from "./generated/demo/v1/schemas.js";
import {
  bookSchema,
  booksCreateRequestSchema,
  booksPatchRequestSchema,
} from "./generated/demo/v1/validators.js";

const VALID: Book = { title: "A", pages: [{ number: 1 }] };
const INVALID = { title: "A", pages: [{ number: 1 }, { number: "2" }] };

/** Compiles only if both types are equal. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? true
    : false;
const types: readonly true[] = [
  true satisfies Same<StandardSchemaV1.InferInput<typeof bookSchema>, Book>,
  true satisfies Same<StandardSchemaV1.InferOutput<typeof bookSchema>, Book>,
  true satisfies Same<
    StandardJSONSchemaV1.InferOutput<typeof booksCreateRequestJsonSchema>,
    Book
  >,
];
const schemas: readonly (StandardSchemaV1 & StandardJSONSchemaV1)[] = [
  bookJsonSchema,
  booksCreateRequestJsonSchema,
  booksPatchRequestJsonSchema,
];
const cleared: StandardSchemaV1.InferInput<typeof booksPatchRequestSchema> = {
  title: null,
};

/** Returns the message of the error that a promise is rejected with. */
async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return { unexpected: await promise };
  } catch (error) {
    const { cause, data } = error as { cause?: unknown; data?: unknown };
    return (data ?? cause) as unknown;
  }
}

async function trpc(): Promise<unknown> {
  const { router, procedure, createCallerFactory } = initTRPC.create();
  const app = router({
    add: procedure
      .input(booksCreateRequestSchema)
      .output(bookSchema)
      .mutation(({ input }) => {
        const book: Book = input;
        return book;
      }),
  });
  const { add } = createCallerFactory(app)({});
  // @ts-expect-error: the type of the caller is that of the schema.
  const failure = failureOf(add(INVALID));
  return [await add(VALID), await failure];
}

async function orpc(): Promise<unknown> {
  const add = os
    .input(booksCreateRequestSchema)
    .output(bookSchema)
    .handler(({ input }) => input);
  // @ts-expect-error: the type of the caller is that of the schema.
  return [await call(add, VALID), await failureOf(call(add, INVALID))];
}

async function mcp(): Promise<unknown> {
  const server = new McpServer({ name: "demo", version: "1.0.0" });
  server.registerTool(
    "add",
    {
      inputSchema: booksCreateRequestJsonSchema,
      outputSchema: bookJsonSchema,
    },
    (book) => {
      const structuredContent: { title?: string } = book;
      return { content: [], structuredContent: { ...structuredContent } };
    },
  );
  const client = new Client({ name: "test", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(near), client.connect(far)]);
  const { tools } = await client.listTools();
  const ask = (value: object) =>
    client.callTool({ name: "add", arguments: { ...value } });
  return [tools[0], await ask(VALID), await ask(INVALID)];
}

async function hono(): Promise<unknown> {
  const app = new Hono().post(
    "/",
    sValidator("json", booksCreateRequestSchema),
    (c) => {
      const book: Book = c.req.valid("json");
      return c.json({ title: book.title });
    },
  );
  const post = async (value: object) => {
    const response = await app.request("/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(value),
    });
    return [response.status, await response.json()] as const;
  };
  return [await post(VALID), await post(INVALID)];
}

function tanstack(): unknown {
  const errorsOf = (defaultValues: Book): unknown => {
    const form = new FormApi({
      defaultValues,
      validators: { onChange: booksCreateRequestSchema },
    });
    form.mount();
    const field = new FieldApi({ form, name: "pages[1].number" });
    field.mount();
    form.validateAllFields("change");
    form.validate("change");
    return field.state.meta.errors;
  };
  return [errorsOf(VALID), errorsOf(INVALID as unknown as Book)];
}

console.log(
  JSON.stringify({
    types,
    schemas: schemas.length,
    cleared: await booksPatchRequestSchema["~standard"].validate(cleared),
    trpc: await trpc(),
    orpc: await orpc(),
    mcp: await mcp(),
    hono: await hono(),
    tanstack: tanstack(),
  }),
);
