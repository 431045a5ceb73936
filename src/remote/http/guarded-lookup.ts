import { lookup as systemLookup, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import type { RemoteError } from "../remote-error.js";
import { checkAddress } from "./check-url.js";
import type { HttpSettings } from "./http-settings.js";

/**
 * Returns a function that resolves host names and returns only allowed
 * addresses. The connection uses these addresses, so that a name server can't
 * return another address after the check (DNS rebinding).
 */
export function guardedLookup(settings: HttpSettings): LookupFunction {
  const resolve = settings.lookup ?? systemLookup;
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, []);
      const addresses = found as LookupAddress[];
      const permitted = addresses.filter(
        ({ address }) => refusalOf(hostname, address, settings) === undefined,
      );
      const [first] = permitted;
      if (first === undefined)
        return callback(
          refusalOf(hostname, addresses[0]?.address ?? "", settings)!,
          [],
        );
      if (options.all === true) callback(null, permitted);
      else callback(null, first.address, first.family);
    });
  };
}

function refusalOf(
  hostname: string,
  address: string,
  settings: HttpSettings,
): RemoteError | undefined {
  try {
    checkAddress(address, hostname, settings);
    return undefined;
  } catch (error) {
    return error as RemoteError;
  }
}
