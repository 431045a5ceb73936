import { isLoopback } from "../../platform/host-names.js";
import { listen, type HostOptions, type ListeningHost } from "../host.js";
import type { AdminConfig } from "./config.js";
import type { AdminContext } from "./context.js";
import { adminService } from "./index.js";
import { listenLocally } from "./local.js";
import { tokenCheck } from "./tokens.js";

/** Admin API of a running server. */
export interface RunningAdmin {
  /** Origin for operators; undefined if the config has no tokens. */
  readonly origin: string | undefined;
  /** Applies other tokens to further requests. The address stays. */
  update(config: AdminConfig | undefined, host: HostOptions): void;
  /**
   * Rejects further requests and waits for those in flight.
   *
   * @param grace milliseconds after which requests in flight are aborted
   */
  close(grace: number): Promise<void>;
}

/** Settings and store of the admin API of a server. */
export interface AdminOptions {
  readonly config: AdminConfig | undefined;
  /** Settings of the host that also apply to the port of the admin API. */
  readonly host: HostOptions;
  /** Data folder that this process has opened; undefined for other stores. */
  readonly data: string | undefined;
  readonly context: AdminContext;
}

/**
 * Listens for operators with a token of the config, and for commands on the
 * machine that use the data folder.
 *
 * @throws Error if the address can't be used
 */
export async function startAdmin({
  config,
  host,
  data,
  context,
}: AdminOptions): Promise<RunningAdmin> {
  let current = config;
  const remote = config && (await listenForOperators());
  const closeLocal =
    data === undefined
      ? undefined
      : await listenLocally(data, context).catch(async (error: unknown) => {
          await remote?.close();
          throw error;
        });
  return {
    origin: remote?.origin,
    update(changed, settings) {
      current = changed;
      remote?.update(optionsOf(settings, config!));
    },
    async close(grace) {
      await Promise.all([remote?.close(), closeLocal?.(grace)]);
    },
  };

  function listenForOperators(): Promise<ListeningHost> {
    const tokens = tokenCheck(() => current?.tokens ?? [], context.now);
    return listen([adminService(context, tokens)], {
      ...optionsOf(host, config!),
      port: config!.port,
      host: config!.host,
      log: context.log,
    });
  }
}

/**
 * Returns the settings of the host for the port of the admin API. A loopback
 * address accepts only loopback names, as a protection against DNS rebinding.
 */
function optionsOf(settings: HostOptions, { host }: AdminConfig): HostOptions {
  const { names } = settings;
  return { ...settings, names: names ?? (isLoopback(host) ? [] : undefined) };
}
