import { CredentialsError } from "../error.js";
import type {
  ExecutableSource,
  ExternalAccountConfig,
} from "../external-account.js";
import { builtin, nodeProcess } from "./builtin.js";
import { readTextFile } from "./read-file.js";

/** Largest output of a program in characters. */
const MAX_OUTPUT = 1_000_000;

const SAML = "urn:ietf:params:oauth:token-type:saml2";

/** Output of a program, as documented for executable-sourced credentials. */
interface ExecutableOutput {
  readonly version?: unknown;
  readonly success?: unknown;
  readonly token_type?: unknown;
  readonly id_token?: unknown;
  readonly saml_response?: unknown;
  readonly expiration_time?: unknown;
  readonly code?: unknown;
}

/**
 * Returns the token that a program prints, or that its output file contains.
 * The program is started without a shell.
 *
 * @throws CredentialsError for a program that fails, and for other output; the
 *   message does not contain the output.
 */
export async function executableToken(
  source: ExecutableSource,
  config: ExternalAccountConfig,
): Promise<string> {
  const { command, output_file: file, timeout_millis = 30_000 } = source;
  if (!(timeout_millis >= 5000 && timeout_millis <= 120_000))
    throw new CredentialsError(
      `timeout_millis must be from 5000 to 120000, not ${timeout_millis}`,
    );
  if (file !== undefined) {
    const stored = await readTextFile(file).catch(() => "");
    const output = parse(stored);
    if (output?.success === true && !isExpired(output)) return tokenOf(output);
  }
  const [, email] =
    /\/serviceAccounts\/([^/:]+):generateAccessToken$/.exec(
      config.service_account_impersonation_url?.slice(-300) ?? "",
    ) ?? [];
  const output = parse(
    await run(command, timeout_millis, {
      GOOGLE_EXTERNAL_ACCOUNT_AUDIENCE: config.audience,
      GOOGLE_EXTERNAL_ACCOUNT_TOKEN_TYPE: config.subject_token_type,
      GOOGLE_EXTERNAL_ACCOUNT_INTERACTIVE: "0",
      ...(file && { GOOGLE_EXTERNAL_ACCOUNT_OUTPUT_FILE: file }),
      ...(email && { GOOGLE_EXTERNAL_ACCOUNT_IMPERSONATED_EMAIL: email }),
    }),
  );
  if (!output)
    throw new CredentialsError("the output of the executable is not JSON");
  if (file !== undefined && output.success === true && !output.expiration_time)
    throw new CredentialsError(
      "the output of an executable with output_file must have expiration_time",
    );
  return tokenOf(output);
}

function parse(text: string): ExecutableOutput | undefined {
  try {
    return Object(JSON.parse(text)) as ExecutableOutput;
  } catch {
    return undefined;
  }
}

function isExpired({ expiration_time: time }: ExecutableOutput): boolean {
  return time !== undefined && !(Number(time) > Date.now() / 1000);
}

function tokenOf(output: ExecutableOutput): string {
  if (output.version !== 1)
    throw new CredentialsError(
      "the output of the executable must have version 1",
    );
  if (output.success !== true)
    throw new CredentialsError("the executable reports that it has no token");
  if (isExpired(output))
    throw new CredentialsError("the token of the executable has expired");
  const token =
    output.token_type === SAML ? output.saml_response : output.id_token;
  if (typeof token === "string" && token) return token;
  throw new CredentialsError(
    "the output of the executable must have id_token or saml_response",
  );
}

/** Runs a program and returns what it prints. */
function run(
  command: string,
  timeout: number,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  const words = command.match(/"[^"]*"|[^\s"]+/g) ?? [];
  const [program, ...args] = words.map((word) => word.replace(/^"|"$/g, ""));
  if (!program)
    throw new CredentialsError("executable.command must not be empty");
  const env = { ...nodeProcess().env, ...variables };
  const stdio = ["ignore", "pipe", "ignore"];
  return new Promise((resolve, reject) => {
    const child = builtin("node:child_process").spawn(program, args, {
      env,
      stdio,
    });
    const decoder = new TextDecoder();
    let output = "";
    const fail = (message: string) => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      reject(new CredentialsError(message));
    };
    const timer = setTimeout(
      () => fail(`the executable did not end in ${timeout} ms`),
      timeout,
    );
    child.stdout.on("data", (part) => {
      output += decoder.decode(part, { stream: true });
      if (output.length > MAX_OUTPUT)
        fail("the output of the executable is too large");
    });
    child.on("error", ({ code }) => fail(`the executable can't run: ${code}`));
    child.on("close", (code) => {
      if (code !== 0) fail(`the executable ended with code ${code}`);
      clearTimeout(timer);
      resolve(output);
    });
  });
}
