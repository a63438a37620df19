import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { Command as UntypedCommand } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand, LOCAL_EXITS } from '../../runtime/command-line.ts';
import { type CliError, failed, usageError } from '../../runtime/errors.ts';
import { count, showDistance } from '../../runtime/format.ts';
import { freeText, printList } from '../../runtime/table.ts';
import { shortened } from '../../runtime/terminal-text.ts';
import {
  addTargetOptions,
  outboxCommand,
  outboxPath,
  outboxTarget,
  POST_EXITS,
  readTimeoutMs,
  readWaitMs,
  requireServerOptions,
  SERVER_AND_KEY,
} from './options.ts';
import { type KeptPost, OutboxFolder, targetOf } from './outbox-folder.ts';
import { readKey, requireKeyOptions } from './read-key.ts';
import { isUnsent, type Settled, type Stop, sendKept } from './send-kept.ts';

export function addOutboxCommands(program: UntypedCommand, cli: Cli): void {
  const outbox = program.command('outbox').description('Send, list or drop the posts that an outbox keeps');
  addListOutbox(outbox, cli);
  addFlushOutbox(outbox, cli);
  addDropFromOutbox(outbox, cli);
}

function addOutboxOption<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command.option('--outbox <dir>', 'Use this outbox (default: HUB_OUTBOX)');
}

function openOutbox(cli: Cli, { outbox }: { outbox?: string }): OutboxFolder {
  const path = outboxPath(cli, outbox);
  if (path === undefined) throw usageError('No outbox.', 'Set HUB_OUTBOX, or add --outbox DIR.');
  return new OutboxFolder(path, cli.deps);
}

/** Returns the posts of an outbox as they are shown, oldest first. */
function shownIn(outbox: OutboxFolder) {
  return outbox.entries().map((entry) => {
    const post = outbox.read(entry);
    const { kind, server, key, keptAt, input, attachments = [] }: Partial<KeptPost> = post ?? {};
    const damage = post === null && outbox.has(entry) ? 'The file is damaged.' : null;
    const reason =
      damage ?? post?.reason ?? (entry.state === 'uncertain' ? 'Its sender ended while sending it.' : null);
    const known = { kind: kind ?? null, server: server ?? null, key: key ?? null, keptAt: keptAt ?? null };
    return {
      id: entry.id,
      state: entry.state,
      ...known,
      reason,
      input: input ?? null,
      files: attachments.map(({ name }) => name),
    };
  });
}

type Shown = ReturnType<typeof shownIn>[number];

function addListOutbox(parent: UntypedCommand, cli: Cli): void {
  const command = addCommand(parent, 'list', {
    about: 'List the posts that an outbox keeps, oldest first',
    prints:
      'A table of posts. Pending posts are sent by the next hubctl post or hubctl outbox flush; uncertain posts may\n' +
      'have arrived, so they are only sent if you ask for it; the server did not accept rejected posts.\n' +
      'With --json: {"items": [{"id", "state", "kind", "server", "key", "keptAt", "reason", "input", "files"}]}.',
    exits: LOCAL_EXITS,
    examples: ['hubctl outbox list --outbox ~/outbox', 'hubctl outbox list --json'],
  });
  addOutboxOption(command).action((options) => {
    const outbox = openOutbox(cli, options);
    const items = shownIn(outbox);
    const now = cli.deps.clock.now();
    const columns = [
      { title: 'ID', cell: ({ id }: Shown) => id },
      { title: 'STATE', cell: ({ state }: Shown) => state },
      { title: 'KEPT', cell: ({ keptAt }: Shown) => (keptAt === null ? '-' : showDistance(keptAt, now)) },
      { title: 'KEY', cell: ({ key }: Shown) => key ?? '-', dropOrder: 2 },
      { title: 'SERVER', cell: ({ server }: Shown) => server ?? '-', dropOrder: 1 },
      { title: 'POST', cell: (post: Shown) => freeText(postLabel(post)), dropOrder: 3 },
    ];
    printList(cli.output, columns, items, 'The outbox is empty.');
    if (cli.json) return;
    for (const { id, state, reason } of items) {
      if (reason !== null && state !== 'pending') cli.output.note(`${id}: ${reason}`);
    }
    if (items.every(({ state }) => state !== 'uncertain')) return;
    cli.output.note('Uncertain posts may have arrived. Look for them in the Hub, then drop them or send them again:');
    for (const words of ['drop ID', 'flush ID']) cli.output.note(`  ${outboxCommand(cli, outbox.path, words)}`);
  });
}

const BEGINNING = 40;

/** Returns the kind, the beginning and the number of files of a post, as one line. */
function postLabel({ kind, input, files }: Shown): string {
  const { title, text, content } = (input ?? {}) as Record<string, unknown>;
  const known = [title, text, content].find((field) => typeof field === 'string') ?? JSON.stringify(input);
  const label = `${kind ?? '-'}: ${shortened(String(known), BEGINNING)}`;
  return files.length > 0 ? `${label} (${count(files.length, 'file')})` : label;
}

function addFlushOutbox(parent: UntypedCommand, cli: Cli): void {
  const command = addCommand(parent, 'flush', {
    about: 'Send the pending posts of an outbox, oldest first',
    prints:
      'The ID and URL of each post, one per line.\n' +
      'With --json: {"sent": [{"outboxId", "id", "url"}], "rejected": [{"outboxId", "message"}], "remaining": number}.',
    more: {
      title: 'Server and key',
      text:
        `${SERVER_AND_KEY}\n` +
        'An outbox does not contain keys. Only posts that were kept for this server and key are sent;\n' +
        '--any-target sends the others, too, for example after the key was rotated.',
    },
    exits: POST_EXITS,
    examples: ['hubctl outbox flush --outbox ~/outbox', 'hubctl outbox flush mgh2k3x1a001-1f3k'],
  })
    .argument('[outbox-id...]', 'Send only these (see hubctl outbox list), even if they are uncertain or rejected')
    .option('--any-target', 'Also send posts that were kept for another server or key');
  addOutboxOption(addTargetOptions(command))
    .option('--timeout <seconds>', 'Set the request timeout, in seconds or as 2m (default: 30)')
    .option('--wait-max <duration>', 'Wait for the rate limit for at most this long: 90s, 5m, 1h (default: no limit)')
    .action(async (ids, options) => {
      const timeoutMs = readTimeoutMs(options.timeout);
      const waitMs = readWaitMs({ wait: true, ...options });
      requireKeyOptions(options);
      requireServerOptions(cli, options.url);
      const outbox = openOutbox(cli, options);
      requireKnown(cli, outbox, ids);
      // Without --skip-without-key, there is always a key.
      const key = (await readKey(cli, options)) ?? '';
      const target = outboxTarget(cli, options.url, key);
      const own = targetOf(target);
      const entries = outbox.entries();
      const isWanted = (entry: { id: string; target: string }) =>
        (ids.length === 0 || ids.includes(entry.id)) && (options.anyTarget === true || entry.target === own);
      for (const entry of entries.filter(isWanted))
        if (ids.includes(entry.id) && !isUnsent(entry.state)) outbox.change(entry, 'pending');
      // Posts that other processes keep from now on are theirs to send.
      const present = new Set(entries.map(({ id }) => id));
      const sent: object[] = [];
      const rejected: object[] = [];
      const onSettled = (entry: Settled): void => {
        if ('error' in entry) {
          rejected.push({ outboxId: entry.id, message: entry.error.message });
          cli.output.warn(`The server rejected ${entry.id}: ${entry.error.message}`);
          return;
        }
        sent.push({ outboxId: entry.id, ...entry.created, url: entry.url });
        if (!cli.json) cli.output.sentence(`${entry.created.id} ${entry.url}`);
      };
      const isIncluded = (entry: { id: string; target: string }) => present.has(entry.id) && isWanted(entry);
      const client = await import('@hub/client');
      const sending = { client, target, key, url: options.url, timeoutMs, waitMs, isIncluded, onSettled };
      const stop = await sendKept(cli, outbox, sending);
      const left = outbox.entries();
      const unsent = left.filter((entry) => isUnsent(entry.state) && isWanted(entry)).length;
      const rest = unsent > 0 ? ` ${count(unsent, 'post')} still to send.` : '';
      if (!cli.json) cli.output.note(`Sent ${count(sent.length, 'post')}.${rest}`);
      const list = outboxCommand(cli, outbox.path, 'list');
      const others = left.filter(({ state, target: other }) => isUnsent(state) && other !== own).length;
      if (others > 0 && !options.anyTarget)
        cli.output.warn(`Kept for another server or key: ${count(others, 'post')}. Use that key, or add --any-target.`);
      const uncertain = left.filter(({ state }) => state === 'uncertain').length;
      if (uncertain > 0) cli.output.warn(`${count(uncertain, 'post')} may have arrived. Check them: ${list}`);
      if (stop) throw flushError(stop, list);
      if (rejected.length > 0) throw failed('rejected', `The server rejected ${count(rejected.length, 'post')}.`, list);
      if (cli.json) cli.output.document({ sent, rejected, remaining: left.length });
    });
}

/** Returns the error with the hint for `flush`, which differs from that for `post`. */
function flushError({ fate, error }: Stop, list: string): CliError {
  if (fate === 'uncertain') return error.with({ hint: `The post is now uncertain: ${list}` });
  const { retryAfterSeconds } = error.details;
  if (retryAfterSeconds === undefined) return error;
  return error.with({ hint: `Try again in ${count(retryAfterSeconds, 'second')}, or raise --wait-max.` });
}

function requireKnown(cli: Cli, outbox: OutboxFolder, ids: readonly string[]): void {
  const known = new Set(outbox.entries().map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown === undefined) return;
  const hint = `It may have been sent. See: ${outboxCommand(cli, outbox.path, 'list')}`;
  throw failed('not_found', `The outbox has no post ${unknown}.`, hint);
}

function addDropFromOutbox(parent: UntypedCommand, cli: Cli): void {
  const command = addCommand(parent, 'drop', {
    about: 'Delete posts from an outbox without sending them',
    prints: 'The number of deleted posts.\nWith --json: {"dropped": ["…"]}.',
    exits: LOCAL_EXITS,
    examples: ['hubctl outbox drop mgh2k3x1a001-1f3k', 'hubctl outbox drop --all --yes'],
  })
    .argument('[outbox-id...]', 'The posts to delete (see hubctl outbox list)')
    .option('--all', 'Delete all posts')
    .option('-y, --yes', 'Skip the confirmation');
  addOutboxOption(command).action(async (ids, { all, yes, ...options }) => {
    if (ids.length === 0 && !all) throw usageError('Nothing to drop.', 'Specify IDs, or --all.');
    const outbox = openOutbox(cli, options);
    requireKnown(cli, outbox, ids);
    const chosen = outbox.entries().filter(({ id }) => all || ids.includes(id));
    const busy = chosen.find((entry) => outbox.isBusy(entry));
    if (busy) throw failed('conflict', `Another hubctl is sending ${busy.id}.`, 'Wait until it has finished.');
    if (chosen.length > 0) await cli.confirm(yes, `Delete ${count(chosen.length, 'post')} without sending?`);
    const dropped = chosen.filter((entry) => outbox.remove(entry)).map(({ id }) => id);
    cli.output.result({ dropped }, `Dropped ${count(dropped.length, 'post')}.`);
  });
}
