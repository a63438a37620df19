import type { PostOptions as ClientPostOptions, HubClient } from '@hub/client';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { rejectBlankValues } from '../../runtime/command-line.ts';
import {
  asCliError,
  CliError,
  EXIT,
  failed,
  namingOptions,
  responseError,
  unreachableError,
  usageError,
} from '../../runtime/errors.ts';
import { count } from '../../runtime/format.ts';
import { type PostOptions, readTimeoutMs } from './options.ts';
import { findServer, type PostServer, readKey, requireKeyOptions, requireServerOptions } from './target.ts';

/** One post with a validated command line. */
export interface Post<Input> {
  /** Reads the input from the arguments, files or prompts. */
  read: () => Promise<Input>;
  create: (client: HubClient, input: Input, options: ClientPostOptions) => Promise<{ id: string }>;
  /** The option or argument that set each field; undefined if the value was read from a file or typed. */
  given: Readonly<Record<string, string | undefined>>;
}

/**
 * Posts one item and prints its ID and URL. Errors in the command line come first and always fail; --soft-fail applies
 * only to later errors, which depend on the run.
 */
export async function sendPost<Input>(
  cli: Cli,
  command: Command,
  options: PostOptions,
  prepare: () => Post<Input>,
): Promise<void> {
  try {
    rejectBlankValues(command);
  } catch (error) {
    return failSoftly(cli, options, error);
  }
  const timeoutMs = readTimeoutMs(options.timeout);
  requireKeyOptions(options);
  requireServerOptions(cli, options.url);
  const client = await import('@hub/client');
  if (options.runMarker !== undefined) requireRunMarker(client, options.runMarker);
  const post = prepare();
  try {
    const key = await readKey(cli, options);
    if (key === null) return skip(cli);
    const input = await post.read();
    const server = await findServer(cli, options.url);
    const created = await create(cli, client, { options, timeoutMs, key, server }, (hub) =>
      post.create(hub, input, { runMarker: options.runMarker }),
    ).catch((error) => {
      return namingOptions(post.given)(postFailure(client, error));
    });
    const url = `${server.webUrl}/p/${encodeURIComponent(created.id)}`;
    if (cli.json) cli.output.document({ ...created, url });
    else cli.output.line(`${created.id} ${url}`);
  } catch (error) {
    failSoftly(cli, options, error);
  }
}

function requireRunMarker(client: typeof import('@hub/client'), marker: string): void {
  try {
    client.withRunMarker('', marker);
  } catch (error) {
    if (!(error instanceof client.HubUsageError)) throw error;
    throw usageError(error.message.replace(/^runMarker/, '--run-marker'));
  }
}

interface Sending {
  options: PostOptions;
  timeoutMs: number;
  key: string;
  server: PostServer;
}

async function create<T>(
  cli: Cli,
  client: typeof import('@hub/client'),
  { options, timeoutMs, key, server }: Sending,
  post: (hub: HubClient) => Promise<T>,
): Promise<T> {
  return await post(
    new client.HubClient({
      baseUrl: server.baseUrl,
      apiKey: key,
      timeoutMs,
      // A single post needs no pacing, and posts from other processes are unknown here.
      pacing: false,
      waitWhenBlocked: options.wait ?? false,
      userAgent: `hubctl/${cli.deps.version}`,
      fetch: async (url, init) => {
        const response = await server.fetch(url, init);
        if (options.wait) reportWaiting(cli, response);
        return response;
      },
    }),
  );
}

function reportWaiting(cli: Cli, response: Response): void {
  const seconds = response.headers.get('retry-after');
  if (response.status !== 403 || seconds === null) return;
  cli.output.note(`The key is rate-limited. Retrying in ${count(Number(seconds), 'second')}.`);
}

function skip(cli: Cli): void {
  if (cli.json) cli.output.document({ skipped: true, reason: 'No API key.' });
  cli.output.note('No API key, so nothing was posted (--skip-without-key).');
}

/**
 * With --soft-fail, warns instead of failing, except after Ctrl-C. The exit code in the JSON is that of the process.
 */
function failSoftly(cli: Cli, { softFail }: PostOptions, thrown: unknown): void {
  const error = asCliError(thrown);
  if (!softFail || error.exitCode === EXIT.interrupted) throw error;
  if (cli.json) cli.output.document({ error: { ...error.toJSON(), exitCode: EXIT.done } });
  cli.output.warn(`Not posted: ${error.message}`);
}

type Client = typeof import('@hub/client');

const CHECK_FIRST = 'The post may have been accepted. Check before you post again.';

/** Converts an error from the client library into one with an exit code and a hint. */
function postFailure(client: Client, error: unknown): unknown {
  if (error instanceof client.HubUsageError) return failed('invalid', error.message);
  if (error instanceof client.HubApiError) return failure(client, error);
  if (error instanceof client.HubTimeoutError) {
    return new CliError(
      'timeout',
      EXIT.unreachable,
      `The server did not respond within ${count(error.timeoutMs / 1000, 'second')}.`,
      {
        hint: CHECK_FIRST,
        mayHaveCreated: true,
      },
    );
  }
  if (error instanceof client.HubConnectionError) {
    if (error.handshakeFailed) return unreachableError(error.message);
    if (!error.mayHaveCreated)
      return unreachableError(error.message, 'Check the URL (--url, HUB_URL) and that the server is running.');
    return new CliError('unreachable', EXIT.unreachable, error.message, { hint: CHECK_FIRST, mayHaveCreated: true });
  }
  if (error instanceof client.HubRedirectError) {
    return new CliError('redirected', EXIT.failed, error.message, { statusCode: error.statusCode });
  }
  if (error instanceof client.HubUnexpectedResponseError) {
    const { statusCode, requestId } = error;
    return new CliError('unexpected_answer', EXIT.failed, error.message, {
      statusCode,
      requestId,
      mayHaveCreated: true,
    });
  }
  return error;
}

function failure(client: Client, error: InstanceType<Client['HubApiError']>): CliError {
  const { statusCode, message, requestId } = error;
  if (error instanceof client.HubBlockedError) {
    const { retryAfterSeconds } = error;
    const hint = `Try again in ${count(retryAfterSeconds, 'second')}, or add --wait.`;
    return responseError({ statusCode, message, requestId, retryAfterSeconds, hint });
  }
  return responseError({ statusCode, message, requestId });
}
