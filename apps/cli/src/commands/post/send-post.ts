import type { Cli } from '../../runtime/cli.ts';
import { rejectBlankValues } from '../../runtime/command-line.ts';
import { asCliError, CliError, EXIT, inOptions, usageError } from '../../runtime/errors.ts';
import { count } from '../../runtime/format.ts';
import type { Attachment } from './attachments.ts';
import { CHECK_FIRST, type Created, type Delivery, deliver, PostFailure, type PostKind } from './deliver.ts';
import { LONG_TEXT_HINT } from './long-text.ts';
import {
  findServer,
  outboxCommand,
  outboxPath,
  outboxTarget,
  type PostOptions,
  postUrl,
  readTimeoutMs,
  readWaitMs,
  requireServerOptions,
} from './options.ts';
import { readKey, requireKeyOptions } from './read-key.ts';
import type { SendKeptOptions, Settled } from './send-kept.ts';

/** One post with a validated command line. */
export interface Post<Input> {
  kind: PostKind;
  /** Reads the input from the arguments, files or prompts. */
  read: () => Promise<Input>;
  /** Reads the files to attach. */
  attachments: () => Promise<Attachment[]>;
  /** Whether standard output belongs to another program. */
  isQuiet?: boolean;
}

/**
 * Posts one item and prints its ID and URL. Errors in the command line come first and always fail; --soft-fail applies
 * only to later errors, which depend on the run.
 */
export async function sendPost<Input extends object>(
  cli: Cli,
  options: PostOptions,
  prepare: () => Post<Input>,
): Promise<void> {
  try {
    if (cli.command) rejectBlankValues(cli.command);
  } catch (error) {
    return failSoftly(cli, options, error);
  }
  await requirePostOptions(cli, options);
  await sendPrepared(cli, options, prepare());
}

/** @throws a usage error for options that are wrong regardless of the environment. */
export async function requirePostOptions(cli: Cli, options: PostOptions): Promise<void> {
  readTimeoutMs(options.timeout);
  readWaitMs(options);
  requireKeyOptions(options);
  requireServerOptions(cli, options.url);
  if (options.runMarker !== undefined) requireRunMarker(await import('@hub/client'), options.runMarker);
}

/** Posts with options that `requirePostOptions` has accepted. */
export async function sendPrepared<Input extends object>(
  cli: Cli,
  options: PostOptions,
  post: Post<Input>,
): Promise<void> {
  const timeoutMs = readTimeoutMs(options.timeout);
  const waitMs = readWaitMs(options);
  const client = await import('@hub/client');
  try {
    let reading: Promise<Input> | undefined;
    const read = () => (reading ??= post.read());
    const key = await readKey(cli, options, read);
    if (key === null) return skip(cli);
    const { kind, isQuiet } = post;
    const runMarker = options.runMarker ?? null;
    const delivery = { kind, input: await read(), runMarker, attachments: await post.attachments() };
    const sending: Sending = { client, key, url: options.url, timeoutMs, waitMs, isQuiet };
    const path = outboxPath(cli, options.outbox);
    const send = path === undefined ? postNow(cli, delivery, sending) : postThrough(cli, path, delivery, sending);
    const result = await send.catch((error) => {
      throw withTextHint(error, options);
    });
    if (cli.json) cli.output.document(result);
  } catch (error) {
    failSoftly(cli, options, error);
  }
}

interface Sending extends Omit<SendKeptOptions, 'target'> {
  isQuiet: boolean | undefined;
}

async function postNow(cli: Cli, delivery: Delivery, sending: Sending): Promise<object> {
  const server = await findServer(cli, sending.url);
  const created = await deliver(cli, sending.client, delivery, { ...sending, server }).catch((thrown) => {
    throw thrown instanceof PostFailure ? thrown.cause : thrown;
  });
  return printPosted(cli, created, postUrl(server, created.id), sending);
}

/** Adds what to do about text over the limit, unless the user has already decided. */
function withTextHint(error: unknown, { truncate }: PostOptions): unknown {
  const isText = error instanceof CliError && error.details.statusCode === 400 && TOO_LONG.test(error.message);
  return isText && !truncate ? error.with({ hint: LONG_TEXT_HINT }) : error;
}

/** The server's message for Markdown over the limit. Titles cannot be truncated. */
const TOO_LONG = /^(text|content) has \d+ characters; at most/;

/**
 * Keeps the post in the outbox, and sends everything that was kept before, then the post. It stays in the outbox if it
 * surely did not arrive; the next call sends it. Only errors that a later attempt would not fix are thrown.
 */
async function postThrough(cli: Cli, path: string, delivery: Delivery, sending: Sending): Promise<object> {
  const { sendKept } = await import('./send-kept.ts');
  const { OutboxFolder, targetOf } = await import('./outbox-folder.ts');
  const target = outboxTarget(cli, sending.url, sending.key);
  const outbox = new OutboxFolder(path, cli.deps);
  const leaseMs = sending.timeoutMs + QUEUE_MARGIN_MS + Math.min(sending.waitMs, DAY_MS);
  const own = await outbox.add({ ...delivery, ...target }, leaseMs);
  let result: object | undefined;
  let rejection: CliError | undefined;
  let earlier = 0;
  const onSettled = (entry: Settled): void => {
    if ('error' in entry && entry.id === own) rejection = entry.error;
    else if ('error' in entry) warnOfRejection(cli, outbox.path, entry);
    else if (entry.id === own) result = printPosted(cli, entry.created, entry.url, sending);
    else earlier += 1;
  };
  const isIncluded = (entry: { id: string; target: string }) => entry.target === targetOf(target) && entry.id <= own;
  const stop = await sendKept(cli, outbox, { ...sending, target, isIncluded, onSettled });
  if (earlier > 0) cli.output.note(`Sent ${count(earlier, 'earlier post')} from the outbox.`);
  const entry = outbox.entries().find(({ id }) => id === own);
  const failure = rejection ?? (stop?.fate === 'refused' ? stop.error : undefined);
  if (failure) {
    if (entry && entry.state !== 'uncertain') outbox.remove(entry);
    throw failure;
  }
  if (entry?.state === 'queued') outbox.change(entry, 'pending');
  if (stop?.fate === 'uncertain' && stop.id === own) {
    const list = outboxCommand(cli, outbox.path, 'list');
    throw stop.error.with({ hint: `${CHECK_FIRST}\nThe outbox keeps it as uncertain: ${list}` });
  }
  if (result) return result;
  const reason = stop?.error.message ?? 'Another hubctl is sending it.';
  cli.output.warn(`Not posted yet: ${reason}`);
  cli.output.note(`The post is kept in ${outbox.path}. The next post with this outbox sends it first. To send it now:`);
  cli.output.note(`  ${outboxCommand(cli, outbox.path, 'flush')}`);
  return { kept: true, outbox: outbox.path, outboxId: own, reason };
}

const QUEUE_MARGIN_MS = 60_000;
const DAY_MS = 86_400_000;

function printPosted(cli: Cli, created: Created, url: string, { isQuiet }: Pick<Sending, 'isQuiet'>): object {
  if (isQuiet && cli.deps.stderr.isTTY) cli.output.quiet(`Posted ${url}`);
  if (!cli.json && !isQuiet) cli.output.sentence(`${created.id} ${url}`);
  return { ...created, url };
}

function warnOfRejection(cli: Cli, path: string, { id, error }: { id: string; error: CliError }): void {
  cli.output.warn(`The server rejected ${id}, which the outbox kept earlier: ${error.message}`);
  cli.output.note(`  ${outboxCommand(cli, path, 'list')}`);
}

function requireRunMarker(client: typeof import('@hub/client'), marker: string): void {
  try {
    client.withRunMarker('', marker);
  } catch (error) {
    if (!(error instanceof client.HubUsageError)) throw error;
    throw usageError(error.message.replace(/^runMarker/, '--run-marker'));
  }
}

function skip(cli: Cli): void {
  if (cli.json) cli.output.document({ skipped: true, reason: 'No API key.' });
  cli.output.note('No API key, so nothing was posted.');
}

/** With --soft-fail, warns instead of failing, except after Ctrl-C. The JSON has the exit code of the process. */
function failSoftly(cli: Cli, { softFail }: PostOptions, thrown: unknown): void {
  const error = inOptions(asCliError(thrown), cli.command);
  if (!softFail || error.exitCode === EXIT.interrupted) throw error;
  if (cli.json) cli.output.document({ error: { ...error.toJSON(), exitCode: EXIT.done } });
  cli.output.warn(`Not posted: ${error.message}`);
}
