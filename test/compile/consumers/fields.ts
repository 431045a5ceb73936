import { createDiscovery } from "../../../generated/discovery/v1/index.js";
import { getRest } from "../../../generated/discovery/v1/resources/apis.js";
import type {
  CheckFields,
  Select,
} from "../../../generated/runtime/client/fields.js";
import { bind, type Bound } from "../../../generated/runtime/client/bind.js";
import {
  createClient,
  type Call,
  type Client,
  type Method,
  type OptionalMethod,
} from "../../../generated/runtime/client/core.js";
import type { MediaCall } from "../../../generated/runtime/client/media.js";
import type {
  PagedCall,
  PagesCall,
} from "../../../generated/runtime/client/token-pagination.js";

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? true
    : false;

/** Accepts only `true`, the result of {@link Same}. */
export function yes<T extends true>(): T | void {}

interface Owner {
  readonly name?: string;
  email: string;
}
interface File {
  readonly id: string;
  name?: string;
  size?: number;
  owner?: Owner;
  owners?: readonly Owner[];
  grid?: Owner[][];
  labels?: { [key: string]: string };
  people?: { readonly [key: string]: Owner };
  groups?: Record<string, Owner[]>;
  parent?: File;
  extra?: unknown;
  // oxlint-disable-next-line typescript/no-explicit-any -- as people write it
  free?: any;
  either?: { kind: "a"; a?: Owner } | { kind: "b"; b?: Owner } | null;
}
interface FileList {
  files?: File[];
  next?: string;
}
interface Open {
  kind: string;
  owner?: Owner;
  [key: string]: unknown;
}

// Names, groups, paths, whitespace.
yes<Same<Select<File, "id">, { readonly id: string }>>();
yes<Same<Select<File, "id,name">, { readonly id: string; name?: string }>>();
yes<Same<Select<File, "owner/name">, { owner?: { readonly name?: string } }>>();
yes<Same<Select<File, "owner(name)">, Select<File, "owner/name">>>();
yes<Same<Select<File, "owner(name,email)">, { owner?: Owner_ }>>();
yes<Same<Select<File, "owner/name,owner/email">, { owner?: Owner_ }>>();
yes<Same<Select<File, "owner,owner/name">, { owner?: Owner }>>();
yes<Same<Select<File, "parent/owner(email)">, { parent?: Email }>>();
yes<Same<Select<File, "parent(owner/email)">, { parent?: Email }>>();
yes<Same<Select<File, "parent(id,owner(email)),size">, Nested>>();
yes<Same<Select<File, "size,parent(owner/email,id)">, Nested>>();
yes<
  Same<
    Select<
      File,
      ` size ,
	parent ( owner / email, id ) `
    >,
    Nested
  >
>();
interface Owner_ {
  readonly name?: string;
  email: string;
}
interface Email {
  owner?: { email: string };
}
type Nested = {
  size?: number;
  parent?: { readonly id: string; owner?: { email: string } };
};

// Arrays, at any depth, and maps.
yes<
  Same<
    Select<FileList, "files(id,owners/email)">,
    { files?: { readonly id: string; owners?: readonly { email: string }[] }[] }
  >
>();
yes<Same<Select<File, "grid/email">, { grid?: { email: string }[][] }>>();
yes<Same<Select<File, "labels/a,id">, Pick<File, "labels" | "id">>>();
yes<
  Same<
    Select<File, "people/x/email">,
    { people?: { readonly [key: string]: { email: string } } }
  >
>();
yes<Same<Select<File, "people/*/email">, Select<File, "people/x/email">>>();
yes<Same<Select<File, "people(x/email,y)">, People>>();
yes<
  Same<
    Select<File, "groups/x(email)">,
    { groups?: { [key: string]: { email: string }[] } }
  >
>();
yes<
  Same<Select<Open, "kind,other">, { kind: string; [key: string]: unknown }>
>();
type People = {
  people?: { readonly [key: string]: { email: string } | Owner };
};

// A dot is a slash, but for the keys of maps of scalars.
yes<Same<Select<File, "owner.name">, Select<File, "owner/name">>>();
yes<Same<Select<FileList, "files.owner(name,email)">, Owned>>();
yes<Same<Select<File, "parent.owner.email">, { parent?: Email }>>();
yes<Right<File, "owner.name,parent.owner(email),people.x.email">>();
yes<Right<File, "labels/example.com/a,labels.b.c">>();
type Owned = { files?: { owner?: Owner_ }[] };

// Wildcards.
yes<Same<Select<File, "*">, File>>();
yes<Same<Select<File, "id,*">, File>>();
yes<Same<Select<File, "owner/*">, { owner?: Owner }>>();
yes<Same<Select<FileList, "files/*">, { files?: File[] }>>();
yes<Same<Select<FileList, "*/id">, { files?: { readonly id: string }[] }>>();
yes<Same<Select<File, "*/*">, Omit<File, "id" | "name" | "size">>>();
yes<Same<Select<FileList, "*(id),next">, Select<FileList, "files/id,next">>>();

// `unknown` remains; members of unions are narrowed separately.
yes<Same<Select<File, "extra/a/b,free(c)">, Pick<File, "extra" | "free">>>();
yes<
  Same<
    Select<File, "either(kind,a/email)">,
    { either?: { kind: "a"; a?: { email: string } } | { kind: "b" } | null }
  >
>();
yes<Same<Select<unknown, "a">, unknown>>();
yes<Same<Select<void, "a">, void>>();
yes<Same<Select<File[], "id">, { readonly id: string }[]>>();
yes<Same<Select<File, "id" | "size">, Pick<File, "id"> | Pick<File, "size">>>();

// Unknown and unsupported selectors narrow nothing.
yes<Same<Select<File, string>, File>>();
yes<Same<Select<File, `id,${string}`>, File>>();
yes<Same<Select<File, string & { brand: 1 }>, File>>();
yes<Same<Select<File, Uppercase<string>>, File>>();
yes<Same<Select<File, "">, File>>();
yes<Same<Select<File, "owner(name">, File>>();
yes<Same<Select<File, "owner)name(">, File>>();
yes<Same<CheckFields<File, string>, string>>();
yes<Same<CheckFields<File, `id,${string}`>, `id,${string}`>>();

// Checks: valid selectors.
type Right<T, F extends string> = Same<CheckFields<T, F>, F>;
yes<"" extends CheckFields<File, ""> ? true : false>();
yes<Right<File, "*">>();
yes<Right<File, "id,owner(name,email),parent/parent(owner/*)">>();
yes<Right<File, " id ,\n\towner ( name , email ) ">>();
yes<Right<File, "owners/email,grid(name),either(kind,a/name,b/email)">>();
yes<
  Right<File, "labels/any,people/*/email,groups/x(email),people(x,y/name)">
>();
yes<Right<File, "extra/a(b,c),free/d/*/e">>();
yes<Right<FileList, "*/id,files(*/email)">>();
yes<Right<Open, "kind,owner/email,other/more">>();
yes<Right<void, "a(b)">>();
yes<Right<unknown, "a(b)">>();
yes<Right<File, "id" | "size">>();

// Checks: messages for invalid selectors.
type Says<T, F extends string, W> = Same<CheckFields<T, F>, W>;
yes<Says<File, "nmae", "fields: the result has no 'nmae'">>();
yes<Says<File, "id,owner(name,mail)", "fields: 'owner' has no 'mail'">>();
yes<Says<FileList, "files/owners/mail", "fields: 'owners' has no 'mail'">>();
yes<Says<File, "people/x(nmae)", "fields: 'x' has no 'nmae'">>();
yes<Says<File, "groups/*/nmae", "fields: nothing in 'groups' has 'nmae'">>();
yes<Says<FileList, "*/nmae", "fields: nothing in the result has 'nmae'">>();
yes<Says<File, "name/*", "fields: 'name' has no '*'">>();
yes<Says<File, "name/length", "fields: 'name' has no 'length'">>();
yes<Says<File, "people/x.nmae", "fields: 'x' has no 'nmae'">>();
yes<Says<FileList, "files.nmae", "fields: 'files' has no 'nmae'">>();
yes<Says<File, "owner(name", "fields: the parentheses are unbalanced">>();
yes<Says<File, "owner(name))", "fields: the parentheses are unbalanced">>();
yes<Says<File, "owner)", "fields: the result has no 'owner)'">>();
yes<Says<File, "id" | "nmae", "fields: the result has no 'nmae'">>();

// Calls.
interface ListParameters {
  q?: string;
  fields?: string;
}
interface GetParameters extends ListParameters {
  fileId: string;
}
interface Methods {
  get: Method<GetParameters, MediaCall<File>>;
  list: OptionalMethod<ListParameters, PagedCall<FileList, "files">>;
  both: OptionalMethod<
    ListParameters,
    PagedCall<FileList, "files"> & MediaCall<FileList>
  >;
  map: OptionalMethod<ListParameters, PagedCall<{ all?: Rooms }, "all">>;
  pages: OptionalMethod<ListParameters, PagesCall<FileList>>;
  delete_: Method<GetParameters, Call<void>>;
  delete: Methods["delete_"];
  repeated: OptionalMethod<{ fields?: readonly string[] }, Call<File>>;
  chosen: OptionalMethod<{ fields?: Choice }, Call<File>>;
  inPath: Method<{ fields: string }, Call<File>>;
  none: OptionalMethod<{ q?: string }, Call<File>>;
  nothing: OptionalMethod<object, Call<File>>;
}
type Choice = "a" | "b" | (string & {});
type Rooms = { [key: string]: Owner };
type Id = { readonly id: string };

declare const flat: Methods;
declare const drive: Bound<Methods, { delete_: "delete" }>;
declare const anyText: string;
declare const given: GetParameters;
const client: Client = createClient({ rootUrl: "https://a/", servicePath: "" });

export async function calls(): Promise<void> {
  const get = drive.get({ fileId: "1", fields: "id" });
  yes<Same<typeof get, MediaCall<Id>>>();
  yes<Same<typeof get, ReturnType<typeof sameFlat>>>();
  const { data } = await get.withResponse();
  yes<Same<typeof data, Id>>();
  yes<Same<Awaited<typeof get>, Id>>();
  await (await get.media()).bytes();

  const list = drive.list({ fields: "files(id),next" });
  yes<Same<typeof list, PagedCall<{ files?: Id[]; next?: string }, "files">>>();
  for await (const item of list) yes<Same<typeof item, Id>>();
  for await (const page of list.pages())
    yes<Same<typeof page, { files?: Id[]; next?: string }>>();
  for await (const item of drive.list({ fields: "next" }))
    yes<Same<typeof item, never>>();
  for await (const item of drive.list()) yes<Same<typeof item, File>>();
  for await (const item of drive.map())
    yes<Same<typeof item, [string, Owner]>>();
  for await (const item of drive.map({ fields: "all/*/email" }))
    yes<Same<typeof item, [string, { email: string }]>>();
  for await (const item of drive.both({ fields: "files/id" }))
    yes<Same<typeof item, Id>>();
  await drive.both({ fields: "files/id" }).media();
  for await (const page of drive.pages({ fields: "next" }).pages())
    yes<Same<typeof page, { next?: string }>>();

  const whole: File[] = [
    await drive.get({ fileId: "1" }),
    await drive.get({ fileId: "1", fields: anyText }),
    await drive.get({ fileId: "1", fields: `id,${anyText}` }),
    await drive.get({ fileId: "1", fields: "*" }, { timeout: 1 }),
    await drive.get(given),
    await drive.get({ ...given, q: "x" }),
    await flat.get(client, { fileId: "1" }),
    await drive.repeated({ fields: ["id"] }),
    await drive.chosen({ fields: "a" }),
    await drive.inPath({ fields: "a" }),
    await drive.none({ q: "x" }),
    await drive.nothing(),
  ];
  const nothing: void = await drive.delete({ fileId: "1", fields: "id" });
  const some: Id | Pick<File, "size"> = await drive.get({
    fileId: "1",
    fields: whole.length === 1 ? "id" : "size",
  });
  const passed: (parameters: { fileId: string }) => Promise<File> = drive.get;
  yes<Same<ReturnType<typeof drive.get>, MediaCall<File>>>();
  void [whole, nothing, some, passed];
}

function sameFlat(): MediaCall<Id> {
  return flat.get(client, { fileId: "1", fields: "id" });
}

/** Field selection with a generated client, whose schemas are recursive and have maps. */
export async function description(): Promise<void> {
  const discovery = createDiscovery();
  const { items } = await discovery.apis.list({ fields: "items(title,id)" });
  items?.map(({ title, id }) => [title, id]);
  const fields = "auth(oauth2(scopes)),resources/*/methods/*(id,path)";
  const api = { api: "drive", version: "v3" };
  const rest = await discovery.apis.getRest({ ...api, fields });
  for (const { methods = {} } of Object.values(rest.resources ?? {}))
    for (const method of Object.values(methods)) {
      yes<Same<typeof method, { id: string; path: string }>>();
    }
  // @ts-expect-error the value has no name
  void rest.name;
  // @ts-expect-error nor have its methods a description
  void rest.resources?.["files"]?.methods?.["get"]?.description;
  // @ts-expect-error oauth is not one of the fields
  void discovery.apis.getRest({ ...api, fields: "auth/oauth(scopes)" });
  // @ts-expect-error as a flat function
  void getRest(client, { ...api, fields: "auth/oauth(scopes)" });
}

export function mistakes(): unknown[] {
  return [
    // @ts-expect-error no such name
    drive.get({ fileId: "1", fields: "nmae" }),
    // @ts-expect-error no such name in what is below
    drive.list({ fields: "files(id,owner/mail)" }),
    // @ts-expect-error one of two is wrong
    drive.get({ fileId: "1", fields: given.q === "" ? "id" : "nmae" }),
    // @ts-expect-error parentheses
    drive.list({ fields: "files(id" }),
    // @ts-expect-error in a flat function
    flat.get(client, { fileId: "1", fields: "nmae" }),
    // @ts-expect-error fileId is missing
    drive.get({ fields: "id" }),
    // @ts-expect-error an unknown parameter
    drive.get({ fileId: "1", fields: "id", x: 1 }),
    // @ts-expect-error a parameter of another type
    drive.get({ fileId: 1, fields: "id" }),
    // @ts-expect-error fields is a string
    drive.get({ fileId: "1", fields: ["id"] }),
    // @ts-expect-error undefined is not a value
    drive.get({ fileId: "1", fields: undefined }),
    // @ts-expect-error no parameters where some are required
    drive.get(),
    // @ts-expect-error the method has no fields
    drive.none({ fields: "id" }),
    // @ts-expect-error several
    drive.repeated({ fields: "id" }),
    // @ts-expect-error another method
    drive.delete_({ fileId: "1" }),
    // @ts-expect-error a client is missing
    flat.get({ fileId: "1", fields: "id" }),
  ];
}

export const bound: Bound<Methods> = bind(client, "", {});
