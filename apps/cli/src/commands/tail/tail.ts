import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectLive, type Live, type LiveOptions, type LiveState } from '@hub/client/live';
import type { Hub } from '@hub/contract';
import { LIVE_PATH } from '@hub/contract/paths';
import type { Cli } from '../../runtime/cli.ts';
import { expiredTokenHint, requireOwnSocket } from '../../runtime/connection.ts';
import { CliError, EXIT, usageError } from '../../runtime/errors.ts';
import { errorOf, UNWRITABLE, unwritable } from '../../runtime/output.ts';
import { resolveHub } from '../../runtime/resolve.ts';
import { ListedItems, printEarlier } from './earlier.ts';
import { FollowedHubs, HubWatch, readableHubs } from './followed-hubs.ts';
import { readTailFlags, type TailFlags, type TailOptions } from './options.ts';
import { JsonPrinter, type Printer, TextPrinter } from './printers.ts';

/** Follows Hubs until the user stops it. */
export async function tail(cli: Cli, references: readonly string[], flags: TailFlags): Promise<void> {
  const options = readTailFlags(flags, { isJson: cli.json, nowMs: cli.deps.clock.now() });
  if (options.since?.kind === 'event' && references.length !== 1) throw oneHubOnly();
  // Fail early, since it may take a while until there is something to write.
  const problem = errorOf(cli.deps.stdout);
  if (problem !== undefined) throw unwritable(problem);
  let [stop, fail] = [() => {}, (_: unknown) => {}];
  const stopped = new Promise<void>((resolve, reject) => {
    [stop, fail] = [resolve, reject];
  });
  const stopListening = cli.deps.onStop(() => stop());
  const run = new TailRun(cli, references, options, (error) => fail(error));
  try {
    await Promise.race([stopped, run.begin().then(() => stopped)]);
  } finally {
    stopListening();
    run.end();
  }
}

class TailRun {
  #close: () => void = () => {};
  #hasEnded = false;
  #isDisconnected = false;
  /** Whether the reason for a rejected connection was printed. */
  #isRejectionShown = false;

  constructor(
    private readonly cli: Cli,
    private readonly references: readonly string[],
    private readonly options: TailOptions,
    private readonly fail: (error: unknown) => void,
  ) {}

  async begin(): Promise<void> {
    const { cli, options } = this;
    const isAll = this.references.length === 0;
    const hubs = await this.#hubs();
    const hasSeveralHubs = isAll || hubs.length > 1;
    const printer: Printer = cli.json ? new JsonPrinter(cli) : new TextPrinter(cli, hasSeveralHubs);
    if (isAll && hubs.length === 0) cli.output.quiet('No Hubs that you can read yet. Waiting for one…');
    else if (cli.deps.stdout.isTTY && !cli.json) cli.output.quiet(greeting(isAll ? undefined : hubs));
    const listed = new ListedItems();
    const starts = await printEarlier({ cli, printer, listed, hubs, isAll, options, hasEnded: () => this.#hasEnded });
    if (this.#hasEnded) return;
    const followed = new FollowedHubs({ cli, printer, listed, kinds: options.kinds, isAll, fail: this.fail });
    const watch = new HubWatch(cli, (hubs) => followed.appeared(hubs), this.fail);
    const { live, close } = openLive(cli, {
      onState: (state) => this.#entered(state, followed),
      onHubsChanged: () => watch.refresh(),
      onError: (error) => this.#handleError(error),
    });
    this.#close = () => {
      watch.stop();
      close();
    };
    followed.begin(live, hubs, starts);
  }

  end(): void {
    this.#hasEnded = true;
    this.#close();
  }

  async #hubs(): Promise<Hub[]> {
    if (this.references.length === 0) return readableHubs(this.cli);
    const hubs = new Map<string, Hub>();
    for (const reference of this.references) {
      const hub = await resolveHub(this.cli, reference, 'live');
      hubs.set(hub.id, hub);
    }
    return [...hubs.values()];
  }

  #entered(state: LiveState, followed: FollowedHubs): void {
    if (state.status === 'waiting') {
      followed.disconnected();
      const isNew = state.isRejected ? !this.#isRejectionShown : !this.#isDisconnected;
      if (isNew) this.cli.output.quiet(`Disconnected: ${state.reason} Reconnecting…`);
      this.#isDisconnected = true;
      this.#isRejectionShown ||= state.isRejected === true;
    } else if (state.status === 'live' && this.#isDisconnected) {
      this.#isDisconnected = false;
      this.#isRejectionShown = false;
      this.cli.output.quiet('Reconnected.');
    } else if (state.status === 'ended' && state.reason === 'unauthenticated') {
      this.fail(signedOut(this.cli, state.message));
    }
  }

  /** Reports temporary errors, which the library retries. Other errors end the command. */
  #handleError(error: unknown): void {
    const isTemporary = error instanceof CliError && error.exitCode !== EXIT.notAllowed && error.code !== UNWRITABLE;
    if (!isTemporary) this.fail(error);
    else if (!this.#isDisconnected) this.cli.output.quiet(`${error.message} Retrying…`);
  }
}

/** Shows that the command is running, even if the Hubs are empty. */
function greeting(hubs: readonly Hub[] | undefined): string {
  const names = hubs?.map(({ name }) => name) ?? ['all Hubs that you can read'];
  const last = names.pop() ?? '';
  return `Following ${names.length === 0 ? last : `${names.join(', ')} and ${last}`}. Press Ctrl-C to stop.`;
}

function signedOut({ connection }: Cli, message: string): CliError {
  const hint = connection.kind === 'profile' ? expiredTokenHint(connection) : undefined;
  return new CliError('unauthenticated', message, { hint });
}

function oneHubOnly(): CliError {
  return usageError(
    'Event numbers are per Hub: --since with a number needs exactly one Hub.',
    'hubctl tail HUB --since 41',
  );
}

/** Opens the live connection for this command: over the admin socket, or with the token of a profile. */
function openLive(
  { connection, deps }: Cli,
  listeners: Pick<LiveOptions, 'onState' | 'onHubsChanged' | 'onError'>,
): { live: Live; close: () => void } {
  const createSocket: LiveOptions['createSocket'] = (url, headers) =>
    deps.openSocket(url, { ...headers, 'user-agent': `hubctl/${deps.version}` });
  if (connection.kind === 'profile') {
    const { url, token } = connection;
    const ask: LiveOptions['fetch'] = (address, init) => deps.fetch(address, init as BunFetchRequestInit);
    const live = connectLive({ ...listeners, baseUrl: url, token, createSocket, fetch: ask });
    return { live, close: () => live.close() };
  }
  requireOwnSocket(connection.socketPath);
  const { path, remove } = socketAlias(connection.socketPath);
  const live = connectLive({ ...listeners, url: `ws+unix://${path}:${LIVE_PATH}`, createSocket });
  const close = () => {
    live.close();
    remove();
  };
  return { live, close };
}

/** Paths that a `ws+unix:` URL can contain as is. Other characters would be escaped, which changes the path. */
const PLAIN_PATH = /^[\w./~%-]+$/;

/** Returns a path to a socket for a `ws+unix:` URL: if needed, a link in a directory that only this user can enter. */
function socketAlias(path: string): { path: string; remove: () => void } {
  if (PLAIN_PATH.test(path)) return { path, remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'hubctl-'));
  const link = join(folder, 'admin.sock');
  symlinkSync(path, link);
  return { path: link, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
