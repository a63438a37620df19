import type { PostOptions as ClientPostOptions, HubClient } from '@hub/client';
import type { Cli } from '../../runtime/cli.ts';
import { CliError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { namingOptions } from '../../runtime/name-options.ts';
import { count } from '../../runtime/times.ts';
import { type PostOptions, readTimeoutMs } from './options.ts';
import { postFailure } from './post-failure.ts';
import { readKey } from './read-key.ts';
import { findServer, type PostServer } from './server.ts';

interface Kind<Input> {
  /** Reads what is to be posted, from the arguments or from elsewhere. */
  read: () => Promise<Input>;
  create: (client: HubClient, input: Input, options: ClientPostOptions) => Promise<{ id: string }>;
}

/** Posts one item and prints its id and address. The order of the steps is that of what a user can mend soonest. */
export async function sendPost<Input>(cli: Cli, options: PostOptions, kind: Kind<Input>): Promise<void> {
  try {
    const timeoutMs = readTimeoutMs(options.timeout);
    const key = await readKey(cli, options);
    if (key === null) return skip(cli);
    const input = await kind.read();
    const server = await findServer(cli, options.url);
    const created = await create(cli, { options, timeoutMs, key, server }, (client) =>
      kind.create(client, input, { runMarker: options.runMarker }),
    );
    const url = `${server.webUrl}/p/${encodeURIComponent(created.id)}`;
    if (cli.json) cli.output.document({ ...created, url });
    else cli.output.line(`${created.id} ${url}`);
  } catch (error) {
    if (!options.softFail || !isFailureToPost(error)) throw error;
    warnInstead(cli, error);
  }
}

interface Sending {
  options: PostOptions;
  timeoutMs: number;
  key: string;
  server: PostServer;
}

async function create<T>(cli: Cli, sending: Sending, post: (client: HubClient) => Promise<T>): Promise<T> {
  const { options, timeoutMs, key, server } = sending;
  const client = await import('@hub/client');
  try {
    return await post(
      new client.HubClient({
        baseUrl: server.baseUrl,
        apiKey: key,
        timeoutMs,
        // One post in one process needs no pace; what other processes post, it cannot know.
        pacing: false,
        waitWhenBlocked: options.wait ?? false,
        userAgent: `hubctl/${cli.deps.version}`,
        fetch: async (url, init) => {
          const response = await server.fetch(url, init);
          if (options.wait) tellOfWaiting(cli, response);
          return response;
        },
      }),
    );
  } catch (error) {
    throw namingOptions(postFailure(client, error));
  }
}

function tellOfWaiting(cli: Cli, response: Response): void {
  const seconds = response.headers.get('retry-after');
  if (response.status !== 403 || seconds === null) return;
  cli.output.note(`The key is rate-limited. Waiting ${count(Number(seconds), 'second')}, then posting.`);
}

function skip(cli: Cli): void {
  if (cli.json) cli.output.document({ skipped: true, reason: 'There is no key.' });
  cli.output.note('There is no key, so nothing was posted (--skip-without-key).');
}

/** A wrong call stays an error, so that it is noticed; so does Ctrl-C. */
function isFailureToPost(error: unknown): error is CliError {
  return error instanceof CliError && error.exitCode !== EXIT.usage && error.exitCode !== EXIT.interrupted;
}

function warnInstead(cli: Cli, error: CliError): void {
  if (cli.json) cli.output.document({ error });
  cli.output.warn(`not posted: ${error.message}`);
}
