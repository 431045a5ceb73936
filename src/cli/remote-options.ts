import type { RemoteOptions } from "../remote/remote-options.js";

/** Values of the options in `remoteOptions`. */
export interface RemoteValues {
  readonly directory?: string | undefined;
  readonly offline?: boolean | undefined;
  readonly allowHttp?: boolean | undefined;
  readonly allowPrivate?: boolean | undefined;
}

/** Returns the options for requests to remote servers. */
export function remoteOptionsOf({
  directory,
  offline,
  allowHttp,
  allowPrivate,
}: RemoteValues): RemoteOptions {
  return { directory, isOffline: offline, allowHttp, allowPrivate };
}
