import fc from "fast-check";

/** Value to print: text, a list, or keys in order. */
export type Plain =
  string | number | boolean | Plain[] | { [key: string]: Plain };

/** Layout of a file. */
export interface Style {
  readonly step: 2 | 3 | 4;
  /** True if lists begin at the column of their key. */
  readonly isFlush: boolean;
  readonly lineEnd: "\n" | "\r\n";
  readonly hasMark: boolean;
  readonly isSpaced: boolean;
  readonly endsOpen: boolean;
  /** Random choices of quotes, comments and flow style, used in order. */
  readonly dice: readonly number[];
}

const style: fc.Arbitrary<Style> = fc.record({
  step: fc.constantFrom(2, 3, 4),
  isFlush: fc.boolean(),
  lineEnd: fc.constantFrom("\n", "\n", "\r\n"),
  hasMark: fc.boolean(),
  isSpaced: fc.boolean(),
  endsOpen: fc.boolean(),
  dice: fc.array(fc.nat(99), { minLength: 40, maxLength: 40 }),
});

const name = fc.stringMatching(/^[a-z][a-z0-9]{2,7}(-[a-z0-9]{1,4})?$/);
const file = name.map((own) => `./files/${own}.json`);
const host = name.map((own) => `${own}.example.com`);

const names = (min: number, max: number): fc.Arbitrary<string[]> =>
  fc.uniqueArray(name, { minLength: min, maxLength: max });

const replicas = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 5 }))
  .map(([min, more]) => ({
    replicaCountMin: min,
    replicaCountMax: min + more,
  }));

const resources = fc.record({
  cpu: fc.integer({ min: 1, max: 900 }).map((own) => `${own}m`),
  memory: fc.integer({ min: 1, max: 900 }).map((own) => `${own}Mi`),
});

type Keys = { [key: string]: Plain };

/** Removes undefined members. */
function keys(
  ...parts: readonly (Readonly<Record<string, Plain | undefined>> | undefined)[]
): Keys {
  return Object.fromEntries(
    parts
      .flatMap((part) => Object.entries(part ?? {}))
      .filter((entry): entry is [string, Plain] => entry[1] !== undefined),
  );
}

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

/** Generates the settings of a valid 1.2 file. */
const settings12: fc.Arbitrary<Keys> = fc
  .record({
    org: name,
    project: fc.stringMatching(/^[a-z][a-z0-9]{6,12}$/),
    region: maybe(name),
    logs: maybe(name),
    isFlat: fc.boolean(),
    isFlatCluster: fc.boolean(),
    cluster: name,
    clusterRegion: name,
    groups: names(1, 3),
    envs: names(1, 3),
    hosts: fc.array(host, { minLength: 1, maxLength: 3 }),
    timeout: maybe(fc.integer({ min: 1, max: 99 })),
    bySecret: fc.boolean(),
    mart: name,
    hasMartHost: fc.boolean(),
    connect: maybe(fc.boolean()),
    connectFile: maybe(file),
    metrics: file,
    ingress: maybe(fc.ipV4()),
    tls: maybe(fc.constantFrom("1.1", "1.2")),
    cassandra: maybe(fc.integer({ min: 1, max: 9 })),
    dnsPolicy: maybe(fc.constant("ClusterFirstWithHostNet")),
    runtime: maybe(replicas),
    requests: maybe(resources),
    hasIstio: fc.boolean(),
  })
  .map((own) => ({
    org: own.org,
    ...(own.isFlat
      ? keys({
          gcpProjectID: own.project,
          gcpRegion: own.region,
          gcpProjectIDRuntime: own.logs,
        })
      : {
          gcp: keys({
            projectID: own.project,
            region: own.region,
            gcpProjectIDRuntime: own.logs,
          }),
        }),
    ...(own.isFlatCluster
      ? { k8sClusterName: own.cluster, k8sClusterRegion: own.clusterRegion }
      : { k8sCluster: { name: own.cluster, region: own.clusterRegion } }),
    virtualhosts: own.groups.map((group, index) =>
      keys(
        index === 0 ? { hostAliases: own.hosts } : {},
        { name: group },
        own.bySecret
          ? { sslSecret: `${group}-tls` }
          : { sslCertPath: "./tls.pem", sslKeyPath: "./tls.key" },
        {
          routingRules: own.envs.map((env) =>
            keys({ env, paths: [`/${env}`], connectTimeout: own.timeout }),
          ),
        },
      ),
    ),
    envs: own.envs.map((env) => ({
      name: env,
      serviceAccountPaths: {
        synchronizer: `./files/${env}-s.json`,
        udca: `./files/${env}-u.json`,
      },
    })),
    mart: keys(
      own.hasMartHost ? { hostAlias: "mart.example.com" } : {},
      { serviceAccountPath: `./files/${own.mart}-apigee-mart.json` },
      own.hasMartHost
        ? { sslCertPath: "./mart.pem", sslKeyPath: "./mart.key" }
        : {},
    ),
    metrics: { serviceAccountPath: own.metrics },
    ...keys({
      connectAgent:
        own.connectFile === undefined
          ? undefined
          : keys({ enabled: own.connect, serviceAccountPath: own.connectFile }),
      ingress:
        own.ingress === undefined && own.tls === undefined
          ? undefined
          : keys({
              runtime:
                own.ingress === undefined
                  ? undefined
                  : { loadBalancerIP: own.ingress },
              minTLSProtocolVersion: own.tls,
            }),
      istio: own.hasIstio
        ? { pilot: { image: { url: "registry.example.com/pilot" } } }
        : undefined,
      cassandra:
        own.cassandra === undefined
          ? undefined
          : keys({ replicaCount: own.cassandra, dnsPolicy: own.dnsPolicy }),
      runtime:
        own.runtime === undefined && own.requests === undefined
          ? undefined
          : keys(own.runtime, {
              resources:
                own.requests === undefined
                  ? undefined
                  : { requests: own.requests },
            }),
    }),
  }));

/** File with its settings. */
export interface GeneratedFile {
  readonly data: Keys;
  readonly text: string;
  readonly comments: readonly string[];
}

/** Generates valid 1.2 files in random styles. */
export const files12: fc.Arbitrary<GeneratedFile> = fc
  .tuple(settings12, style, fc.infiniteStream(fc.nat(1 << 20)))
  .map(([data, own, order]) => {
    const shuffled = Object.fromEntries(
      Object.entries(data)
        .map((entry) => ({ entry, rank: order.next().value as number }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ entry }) => entry),
    );
    return { data, ...print(shuffled, own) };
  });

/** Prints settings in a style. */
export function print(
  data: Keys,
  own: Style,
): { text: string; comments: string[] } {
  return new Printer(own).file(data);
}

class Printer {
  readonly #style: Style;
  readonly #lines: string[] = [];
  readonly #comments: string[] = [];
  #at = 0;

  constructor(own: Style) {
    this.#style = own;
  }

  file(data: Keys): { text: string; comments: string[] } {
    for (const [key, value] of Object.entries(data)) {
      if (this.#style.isSpaced && this.#lines.length > 0) this.#lines.push("");
      this.#member("", key, value);
    }
    const { lineEnd, endsOpen, hasMark } = this.#style;
    const text = this.#lines.join(lineEnd) + (endsOpen ? "" : lineEnd);
    return { text: (hasMark ? "\ufeff" : "") + text, comments: this.#comments };
  }

  #dice(sides: number): number {
    const { dice } = this.#style;
    return dice[this.#at++ % dice.length]! % sides;
  }

  #comment(): string {
    const text = `# note ${this.#comments.length + 1} of ${"'\"#:"[this.#dice(4)]} it`;
    this.#comments.push(text);
    return text;
  }

  #member(indent: string, key: string, value: Plain): void {
    if (this.#dice(6) === 0) this.#lines.push(`${indent}${this.#comment()}`);
    this.#value(indent, `${indent}${key}:`, value);
  }

  #value(indent: string, head: string, value: Plain): void {
    const isBlock = typeof value === "object" && !this.#isFlow(value);
    if (!isBlock) {
      const end = this.#dice(5) === 0 ? ` ${this.#comment()}` : "";
      this.#lines.push(`${head} ${this.#flow(value)}${end}`);
      return;
    }
    this.#lines.push(this.#dice(8) === 0 ? `${head} ${this.#comment()}` : head);
    const step = " ".repeat(this.#style.step);
    if (!Array.isArray(value)) {
      for (const [key, own] of Object.entries(value))
        this.#member(indent + step, key, own);
      return;
    }
    const own = this.#style.isFlush ? indent : indent + step;
    for (const item of value) this.#item(own, item);
  }

  #item(indent: string, item: Plain): void {
    if (typeof item !== "object" || Array.isArray(item)) {
      this.#lines.push(`${indent}- ${this.#flow(item)}`);
      return;
    }
    const [first, ...more] = Object.entries(item);
    this.#value(`${indent}  `, `${indent}- ${first![0]}:`, first![1]);
    for (const [key, value] of more) this.#member(`${indent}  `, key, value);
  }

  /** Prints some short lists and maps of scalars in flow style. */
  #isFlow(value: Plain): boolean {
    if (typeof value !== "object") return true;
    const parts = Array.isArray(value) ? value : Object.values(value);
    if (parts.some((part) => typeof part === "object")) return false;
    return parts.length > 0 && this.#dice(4) === 0;
  }

  #flow(value: Plain): string {
    if (Array.isArray(value))
      return `[${value.map((own) => this.#flow(own)).join(", ")}]`;
    if (typeof value === "object")
      return `{ ${Object.entries(value)
        .map(([key, own]) => `${key}: ${this.#flow(own)}`)
        .join(", ")} }`;
    if (typeof value !== "string") return String(value);
    const isNumber = /^[\d.]+$/.test(value);
    const quotes = isNumber ? 1 + this.#dice(2) : this.#dice(3);
    return quotes === 0 ? value : quotes === 1 ? `"${value}"` : `'${value}'`;
  }
}
