import { setTimeout as sleep } from 'node:timers/promises';
import type { HubResponse } from '@hub/client';
import type { Cli } from '../../runtime/cli.ts';
import { asCliError, CliError, EXIT } from '../../runtime/errors.ts';
import { count } from '../../runtime/format.ts';
import { type Client, type Created, deliver, PostFailure } from './deliver.ts';
import { findServer, type PostServer, postUrl } from './options.ts';
import { type EntryState, MAX_PAUSE_MS, type OutboxFolder, type Target, targetOf } from './outbox-folder.ts';

/** How often to look whether another hubctl has sent its post. */
const POLL_MS = 50;
/** After this time, a user at a terminal wants to know what hubctl waits for. */
const QUIET_POLLS = 20;
/** Shorter waits are reported once. */
const NOTED_MS = 5_000;

export interface SendKeptOptions {
  client: Client;
  /** The server and the key that posts are sent to and with. */
  target: Target;
  key: string;
  url: string | undefined;
  timeoutMs: number;
  /** How long to wait for the rate limit in total, in milliseconds. */
  waitMs: number;
  /** Which entries to send; by default all with this target. */
  isIncluded?: (entry: { id: string; target: string }) => boolean;
  /** Called after each entry that was sent or that the server rejected. */
  onSettled?: (settled: Settled) => void;
}

/** An entry that was sent, or rejected by the server. */
export type Settled = { id: string } & ({ created: Created; url: string } | { error: CliError });

/** Why sending stopped before the end. */
export interface Stop {
  fate: 'unsent' | 'refused' | 'uncertain';
  /** The entry whose request failed; `null` if none was sent. */
  id: string | null;
  error: CliError;
}

/**
 * Sends the entries of an outbox one after another, oldest first, and as fast as the key's rate limit allows. Stops at
 * the first failure that would repeat. Several processes take turns, so that the order is kept.
 */
export async function sendKept(cli: Cli, outbox: OutboxFolder, options: SendKeptOptions): Promise<Stop | null> {
  const { target, isIncluded = (entry) => entry.target === targetOf(target) } = options;
  const pace = targetOf(target);
  const deadline = cli.deps.clock.now() + options.waitMs;
  let found: Promise<PostServer> | undefined;
  const server = () => (found ??= findServer(cli, options.url));
  for (let [polls, waits] = [0, 0]; ; ) {
    const next = outbox.entries().find((entry) => isUnsent(entry.state) && isIncluded(entry));
    if (!next) return null;
    const pauseMs = outbox.pauseMs(pace);
    if (pauseMs > 0) {
      if (cli.deps.clock.now() + pauseMs > deadline) return { fate: 'unsent', id: null, error: limited(pauseMs) };
      // At the full rate, there is a short wait before each post.
      const isNoted = waits > 0 && pauseMs < NOTED_MS;
      waits += 1;
      if (!isNoted) {
        cli.output.note(`The key is rate-limited. Continuing in ${count(seconds(pauseMs), 'second')}.`);
      }
      await sleep(pauseMs);
      continue;
    }
    if (outbox.isBusy(next)) {
      if (polls === QUIET_POLLS) cli.output.note('Another hubctl is sending from this outbox. Waiting for it.');
      polls += 1;
      await sleep(POLL_MS);
      continue;
    }
    polls = 0;
    const stop = await sendOne(cli, outbox, next, { ...options, server, pace });
    if (stop) return stop;
  }
}

type Entry = ReturnType<OutboxFolder['entries']>[number];

async function sendOne(
  cli: Cli,
  outbox: OutboxFolder,
  entry: Entry,
  { server, pace, ...options }: SendKeptOptions & { server: () => Promise<PostServer>; pace: string },
): Promise<Stop | null> {
  const { id } = entry;
  let to: PostServer;
  try {
    // Before the claim, so that a kill at this point leaves no doubt that nothing was sent.
    to = await server();
  } catch (thrown) {
    const error = asCliError(thrown);
    return { fate: error.exitCode === EXIT.unreachable ? 'unsent' : 'refused', id, error };
  }
  const claimed = outbox.claim(entry, options.timeoutMs);
  if (!claimed) return null;
  const post = outbox.read(claimed);
  if (!post) {
    outbox.change(claimed, 'rejected');
    const message = `${outbox.path}/${claimed.file} is damaged or was not written by hubctl.`;
    options.onSettled?.({ id, error: new CliError('failed', message) });
    return null;
  }
  const onResponse = ({ rateLimit }: HubResponse) => {
    if (rateLimit?.remaining === 0) outbox.pause(pace, rateLimit.resetSeconds);
  };
  try {
    const { client, key, timeoutMs } = options;
    const delivery = { ...post, attachments: outbox.attachmentsOf(post) };
    const created = await deliver(cli, client, delivery, { key, server: to, timeoutMs, waitMs: 0, onResponse });
    outbox.remove(claimed);
    options.onSettled?.({ id, created, url: postUrl(to, created.id) });
    return null;
  } catch (thrown) {
    if (!(thrown instanceof PostFailure)) throw thrown;
    const error = asCliError(thrown.cause);
    const { fate } = thrown;
    if (fate === 'invalid') {
      await outbox.giveBack(claimed, 'rejected', post, error.message);
      options.onSettled?.({ id, error });
      return null;
    }
    const { retryAfterSeconds = Infinity } = error.details;
    const isShort = retryAfterSeconds * 1000 <= MAX_PAUSE_MS;
    if (isShort) outbox.pause(pace, retryAfterSeconds);
    await outbox.giveBack(claimed, fate === 'uncertain' ? 'uncertain' : 'pending', post, error.message);
    // If waiting is allowed, the next round waits for the end of the block.
    if (isShort && options.waitMs > 0) return null;
    return { fate, id, error };
  }
}

export function isUnsent(state: EntryState): boolean {
  return state === 'pending' || state === 'queued' || state === 'sending';
}

function limited(pauseMs: number): CliError {
  const retryAfterSeconds = seconds(pauseMs);
  const wait = count(retryAfterSeconds, 'second');
  return new CliError('rate_limited', `The key is rate-limited for another ${wait}.`, { retryAfterSeconds });
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}
