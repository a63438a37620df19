import { Option } from '@commander-js/extra-typings';
import type { Hub, HubCounts } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import { usageError } from '../../runtime/errors.ts';
import { count, showTime, showTimeAndDistance } from '../../runtime/format.ts';
import { styled } from '../../runtime/output.ts';
import { hubFor, noHubs } from '../../runtime/resolve.ts';
import { type Column, freeText, printFields, printList } from '../../runtime/table.ts';
import { addExportHub } from './export.ts';
import { addMemberCommands } from './members.ts';

const NAME: Column<Hub> = { title: 'NAME', cell: (hub) => freeText(hub.name) };
const ID: Column<Hub> = { title: 'ID', cell: (hub) => hub.id };
const MEMBERS: Column<Hub> = { title: 'MEMBERS', cell: (hub) => String(hub.memberCount ?? '-'), dropOrder: 3 };
const KEYS: Column<Hub> = { title: 'KEYS', cell: (hub) => String(hub.keyCount ?? '-'), dropOrder: 2 };
const CREATED: Column<Hub> = { title: 'CREATED', cell: (hub) => showTime(hub.createdAt), dropOrder: 1 };
const DELETED: Column<Hub> = { title: 'DELETED', cell: (hub) => (hub.deletedAt ? showTime(hub.deletedAt) : '-') };

export function addHubCommands(program: Command, cli: Cli): void {
  const hubs = program.command('hubs').description('Manage Hubs');

  addCommand(hubs, 'list', {
    about: 'List Hubs, newest first',
    prints: 'A table of Hubs.\nWith --json: {"items": [{"id", "name", "memberCount", "keyCount", "createdAt", …}]}.',
    examples: ['hubctl hubs list', 'hubctl hubs list --state deleted --json'],
  })
    .addOption(new Option('--state <state>', 'Filter by state').choices(['live', 'deleted', 'all']).default('live'))
    .action(async ({ state }) => {
      const items = await cli.api.all('GET /hubs', { query: { state, include: 'counts' } });
      const none = cli.json || items.length > 0 ? '' : await noHubs(cli, state);
      printList(cli.output, [NAME, ID, MEMBERS, KEYS, CREATED, ...(state === 'live' ? [] : [DELETED])], items, none);
    });

  addCommand(hubs, 'show [hub]', {
    about: 'Show a Hub',
    prints: 'The details of the Hub.\nWith --json: {"id", "name", "conversationId", "createdAt", "counts": {…}, …}.',
    examples: ['hubctl hubs show Releases'],
  }).action(async (reference) => {
    const hub = await hubFor(cli, reference, 'all');
    const now = cli.deps.clock.now();
    const counts = hub.deletedAt ? null : await cli.api.request('GET /hubs/{hubId}/counts', { hubId: hub.id });
    printFields(cli.output, { ...hub, counts }, [
      ['Name', hub.name],
      ['Topic', hub.topic],
      ['ID', hub.id],
      ['Conversation', hub.conversationId],
      ['Notes', hub.notesBucketId],
      ['To-dos', hub.todosBucketId],
      ['Contents', counts && contentsText(counts)],
      ['Retention', hub.retentionDays === null ? 'forever' : count(hub.retentionDays, 'day')],
      ['Created', showTimeAndDistance(hub.createdAt, now)],
      ['Deleted', hub.deletedAt && showTimeAndDistance(hub.deletedAt, now)],
    ]);
  });

  addCommand(hubs, 'create', {
    about: 'Create a Hub',
    prints: 'The name and ID of the new Hub.\nWith --json: {"id", "name", "createdAt", …}.',
    examples: ['hubctl hubs create Releases', 'hubctl hubs create "Night shift" --json'],
  })
    .argument('[name]', 'Name of the Hub (up to 64 characters)')
    .option('--topic <text>', 'One line about the Hub; web addresses become links')
    .action(async (given, { topic }) => {
      const name = await cli.text(given, 'Name of the new Hub:');
      const hub = await cli.api.request('POST /hubs', { body: { name, ...(topic !== undefined && { topic }) } });
      cli.output.result(hub, 'Created Hub ', styled('bold', hub.name), ' ', hub.id);
      cli.output.hint(`Next, issue a key to post with: hubctl keys issue --hub ${hub.id}`);
      if (hub.isMember !== true) cli.output.hint(`It has no members yet: hubctl hubs members add ${hub.id} EMAIL`);
    });

  addCommand(hubs, 'edit [hub]', {
    about: 'Change the name, the topic or the retention of a Hub; its keys stay valid',
    prints: 'The changed Hub.\nWith --json: {"id", "name", "topic", "retentionDays", …}.',
    more: {
      title: 'Confirmation',
      text:
        'Setting or shortening the retention permanently deletes older items, so hubctl asks first.\n' +
        'Without a terminal, --yes is required.',
    },
    examples: [
      'hubctl hubs edit Releases --retention 90',
      'hubctl hubs edit Releases --retention none',
      "hubctl hubs edit Releases --topic 'Runbook: https://wiki.example.com/releases'",
      "hubctl hubs edit Releases --name 'Deployments' --json",
    ],
  })
    .option('--name <name>', 'Set a new name (up to 64 characters)')
    .option('--topic <text>', 'Set the topic: one line; web addresses become links')
    .option('--no-topic', 'Remove the topic')
    .option('--retention <days>', 'Permanently delete items older than this many days, or "none" to keep them forever')
    .option('-y, --yes', 'Skip the confirmation')
    .action(async (reference, options) => {
      const { name, yes } = options;
      const retentionDays = options.retention === undefined ? undefined : readDays(options.retention);
      const topic = options.topic === false ? null : options.topic;
      if (name === undefined && topic === undefined && retentionDays === undefined) {
        throw usageError('Nothing to change.', 'Add --name NAME, --topic TEXT or --retention DAYS.');
      }
      const hub = await hubFor(cli, reference);
      if (isShorter(retentionDays, hub.retentionDays)) {
        const span = count(retentionDays, 'day');
        await cli.confirm(yes, `Permanently delete items older than ${span} in the Hub "${hub.name}"?`);
      }
      const body = {
        ...(name !== undefined && { name }),
        ...(topic !== undefined && { topic }),
        ...(retentionDays !== undefined && { retentionDays }),
      };
      const changed = await cli.api.request('PATCH /hubs/{hubId}', { hubId: hub.id, body });
      const kept = changed.retentionDays === null ? 'forever' : `for ${count(changed.retentionDays, 'day')}`;
      cli.output.result(changed, 'Changed Hub ', styled('bold', changed.name), ` ${changed.id}: keeps items ${kept}`);
    });

  addMemberCommands(hubs, cli);
  addExportHub(hubs, cli);

  addCommand(hubs, 'delete [hub]', {
    about: 'Delete a Hub; its keys get 404 until you restore it',
    prints: 'The name and ID of the Hub.\nWith --json: {"id", "name", "deletedAt", …}.',
    examples: ['hubctl hubs delete Releases', 'hubctl hubs delete hub_01KA3T8Q6V5M0G7ZB4W2N9RXEC --yes --json'],
  })
    .option('-y, --yes', 'Skip the confirmation')
    .action(async (reference, options) => {
      const hub = await hubFor(cli, reference);
      const question = `Delete the Hub "${hub.name}"? Its keys stop working until you restore it.`;
      await cli.confirm(options.yes, question, hub.name);
      const deleted = await cli.api.request('DELETE /hubs/{hubId}', { hubId: hub.id });
      cli.output.result(deleted, 'Deleted Hub ', styled('bold', deleted.name), ' ', deleted.id);
      cli.output.hint(`To restore it: hubctl hubs restore ${deleted.id}`);
    });

  addCommand(hubs, 'restore [hub]', {
    about: 'Restore a deleted Hub; its keys work again',
    prints: 'The name and ID of the Hub.\nWith --json: {"id", "name", …}.',
    examples: ['hubctl hubs list --state deleted', 'hubctl hubs restore Releases'],
  }).action(async (reference) => {
    const hub = await hubFor(cli, reference, 'deleted');
    const restored = await cli.api.request('POST /hubs/{hubId}/restoration', { hubId: hub.id });
    cli.output.result(restored, 'Restored Hub ', styled('bold', restored.name), ' ', restored.id);
  });
}

function contentsText({ members, keys, notes, openTodos }: HubCounts): string {
  const parts = [
    [members, 'member'],
    [keys, 'key'],
    [notes, 'note'],
    [openTodos, 'open to-do'],
  ] as const;
  // The server counts no further than this, and leaves out what it cannot count.
  const text = (amount: number, noun: string) =>
    amount < LIMITS.hubCount ? count(amount, noun) : `${amount}+ ${noun}s`;
  return parts.flatMap(([amount, noun]) => (amount === null ? [] : [text(amount, noun)])).join(', ');
}

/** Returns whether the change deletes items that would have been kept. */
function isShorter(days: number | null | undefined, before: number | null): days is number {
  return typeof days === 'number' && (before === null || days < before);
}

/** Parses a number of days or `none`. The server validates the maximum. */
function readDays(text: string): number | null {
  if (text === 'none') return null;
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw usageError(`Invalid --retention "${text}".`, 'Use a number of days such as 90, or none.');
}
