import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { rejectWrongValues } from '../../runtime/command-line.ts';
import { asCliError, CliError, EXIT, namingOptions, usageError } from '../../runtime/errors.ts';
import { count } from '../../runtime/format.ts';
import type { Attachment } from './attachments.ts';
import { CHECK_FIRST, type Created, type Delivery, deliver, PostFailure, type PostKind } from './deliver.ts';
import { longTextHint } from './long-text.ts';
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
  /** Reads the input from the arguments, files or prompts: one item, or the parts of a split text. */
  read: () => Promise<readonly Input[]>;
  kind: PostKind;
  /** Reads the files to attach. */
  attachments: () => Promise<Attachment[]>;
  /** The option or argument that set each field; undefined if the value was read from a file or typed. */
  given: Readonly<Record<string, string | undefined>>;
  /** Whether standard output belongs to another program. */
  isQuiet?: boolean;
}

/**
 * Posts one item and prints its ID and URL. Errors in the command line come first and always fail; --soft-fail applies
 * only to later errors, which depend on the run.
 */
export async function sendPost<Input extends object>(
  cli: Cli,
  command: Command,
  options: PostOptions,
  prepare: () => Post<Input>,
): Promise<void> {
  try {
    rejectWrongValues(command, cli.deps);
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
    let reading: Promise<readonly Input[]> | undefined;
    const read = () => (reading ??= post.read());
    const key = await readKey(cli, options, read);
    if (key === null) return skip(cli);
    const parts = await read();
    const runMarker = options.runMarker ?? null;
    const attachments = await post.attachments();
    const deliveries = parts.map((input) => ({ kind: post.kind, input, runMarker, attachments }));
    const fail: Sending['fail'] = (error) => namingOptions(post.given)(withTextHint(error, options, post.kind));
    const sending: Sending = { client, key, url: options.url, timeoutMs, waitMs, fail, isQuiet: post.isQuiet };
    const path = outboxPath(cli, options.outbox);
    const results =
      path === undefined
        ? await postAll(cli, deliveries, sending)
        : await postThroughOutbox(cli, path, deliveries, sending);
    if (cli.json) cli.output.document(options.split ? { items: results } : results[0]);
  } catch (error) {
    failSoftly(cli, options, error);
  }
}

interface Sending extends Omit<SendKeptOptions, 'target'> {
  /** Throws the error for the user. */
  fail: (error: unknown) => never;
  isQuiet: boolean | undefined;
}

/** Posts the parts one after another. Stops at the first error. */
async function postAll(cli: Cli, deliveries: readonly Delivery[], sending: Sending): Promise<object[]> {
  const server = await findServer(cli, sending.url);
  const results: object[] = [];
  for (const delivery of deliveries) {
    const created = await deliver(cli, sending.client, delivery, { ...sending, server }).catch((thrown) => {
      const cause = thrown instanceof PostFailure ? thrown.cause : thrown;
      return sending.fail(inPart(cause, results, deliveries.length));
    });
    results.push(printPosted(cli, created, postUrl(server, created.id), sending));
  }
  return results;
}

/** Adds what to do about text over the limit, unless the user has already decided. */
function withTextHint(error: unknown, { split, truncate }: PostOptions, kind: PostKind): unknown {
  const isText = error instanceof CliError && error.details.statusCode === 400 && TOO_LONG.test(error.message);
  if (!isText || split || truncate) return error;
  return error.with({ hint: longTextHint(kind) });
}

/** The server's message for Markdown over the limit. Titles can be neither split nor truncated. */
const TOO_LONG = /^(text|content) has \d+ characters; at most/;

/** Adds to an error which parts of a split text were posted before it. */
function inPart(error: unknown, posted: readonly object[], all: number): unknown {
  if (all === 1 || !(error instanceof CliError)) return error;
  return error.with({ message: `Part ${posted.length + 1} of ${all}: ${error.message}`, posted });
}

/**
 * Keeps the parts in the outbox, and sends everything that was kept before, then the parts. They stay in the outbox if
 * they surely did not arrive; the next call sends them. Only errors that a later attempt would not fix are thrown.
 */
async function postThroughOutbox(
  cli: Cli,
  path: string,
  deliveries: readonly Delivery[],
  sending: Sending,
): Promise<object[]> {
  const { sendKept } = await import('./send-kept.ts');
  const { OutboxFolder, targetOf } = await import('./outbox-folder.ts');
  const target = outboxTarget(cli, sending.url, sending.key);
  const outbox = new OutboxFolder(path, cli.deps);
  const leaseMs = sending.timeoutMs + QUEUE_MARGIN_MS + Math.min(sending.waitMs, DAY_MS);
  const own = await outbox.add(
    deliveries.map((delivery) => ({ ...delivery, ...target })),
    leaseMs,
  );
  const results = new Map<string, object>();
  let earlier = 0;
  let rejection: CliError | undefined;
  const settled = (entry: Settled): void => {
    if ('error' in entry && own.includes(entry.id)) rejection ??= entry.error;
    else if ('error' in entry) warnOfRejection(cli, outbox.path, entry);
    else if (own.includes(entry.id)) results.set(entry.id, printPosted(cli, entry.created, entry.url, sending));
    else earlier += 1;
  };
  const last = own.at(-1) ?? '';
  const isIncluded = (entry: { id: string; target: string }) => entry.target === targetOf(target) && entry.id <= last;
  const stop = await sendKept(cli, outbox, { ...sending, target, isIncluded, onSettled: settled });
  if (earlier > 0) cli.output.note(`Sent ${count(earlier, 'earlier post')} from the outbox.`);
  const entries = outbox.entries().filter(({ id }) => own.includes(id));
  const isOwn = stop?.id != null && own.includes(stop.id);
  const posted = own.length > 1 ? [...results.values()] : undefined;
  if (rejection !== undefined || stop?.fate === 'refused') {
    for (const entry of entries) if (entry.state !== 'uncertain') outbox.remove(entry);
    return sending.fail((rejection ?? stop?.error)?.with({ posted }));
  }
  for (const entry of entries) if (entry.state === 'queued') outbox.change(entry, 'pending');
  if (stop?.fate === 'uncertain' && isOwn) {
    throw stop.error.with({
      posted,
      hint: `${CHECK_FIRST}
The outbox keeps it as uncertain: ${outboxCommand(cli, outbox.path, 'list')}`,
    });
  }
  const reason = stop?.error.message ?? 'Another hubctl is sending it.';
  const kept = own.filter((id) => !results.has(id));
  if (kept.length > 0) reportKept(cli, outbox.path, kept.length, reason);
  return own.map((id) => results.get(id) ?? { kept: true, outbox: outbox.path, outboxId: id, reason });
}

const QUEUE_MARGIN_MS = 60_000;
const DAY_MS = 86_400_000;

function printPosted(cli: Cli, created: Created, url: string, { isQuiet }: Pick<Sending, 'isQuiet'>): object {
  if (isQuiet && cli.deps.stderr.isTTY) cli.output.quiet(`Posted ${url}`);
  if (!cli.json && !isQuiet) cli.output.sentence(`${created.id} ${url}`);
  return { ...created, url };
}

function reportKept(cli: Cli, path: string, kept: number, reason: string): void {
  cli.output.warn(`Not posted yet: ${reason}`);
  const what = kept === 1 ? 'The post is' : `${kept} parts are`;
  cli.output.note(`${what} kept in ${path}. The next post with this outbox sends it first. To send it now:`);
  cli.output.note(`  ${outboxCommand(cli, path, 'flush')}`);
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

/**
 * With --soft-fail, warns instead of failing, except after Ctrl-C. The exit code in the JSON is that of the process.
 */
function failSoftly(cli: Cli, { softFail }: PostOptions, thrown: unknown): void {
  const error = asCliError(thrown);
  if (!softFail || error.exitCode === EXIT.interrupted) throw error;
  if (cli.json) cli.output.document({ error: { ...error.toJSON(), exitCode: EXIT.done } });
  cli.output.warn(`Not posted: ${error.message}`);
}
