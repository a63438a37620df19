import type { ChangeHubBody, Hub } from '@hub/contract';
import { normalizeName } from '@hub/contract/normalize-name';
import { type Command, Option } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import { CliError, namingOptions, usageError } from '../../runtime/errors.ts';
import { count, showTime, showTimeAndDistance } from '../../runtime/format.ts';
import { styled } from '../../runtime/output.ts';
import { type HubState, hubFor, noHubs } from '../../runtime/resolve.ts';
import { type Column, freeText, printFields, printList } from '../../runtime/table.ts';
import { addExportHub } from './export.ts';
import { addMemberCommands } from './members.ts';

const NAME: Column<Hub> = { title: 'NAME', cell: (hub) => freeText(hub.name) };
const ID: Column<Hub> = { title: 'ID', cell: (hub) => hub.id };
const CREATED: Column<Hub> = { title: 'CREATED', cell: (hub) => showTime(hub.createdAt), dropOrder: 1 };
const DELETED: Column<Hub> = { title: 'DELETED', cell: (hub) => (hub.deletedAt ? showTime(hub.deletedAt) : '-') };

export function addHubCommands(program: Command, cli: Cli): void {
  const hubs = program.command('hubs').description('Manage Hubs');

  addCommand(hubs, 'list', {
    about: 'List Hubs, newest first',
    prints: 'A table of Hubs.\nWith --json: {"items": [{"id", "name", "createdAt", …}]}.',
    examples: ['hubctl hubs list', 'hubctl hubs list --state deleted --json'],
  })
    .addOption(new Option('--state <state>', 'Filter by state').choices(['live', 'deleted', 'all']).default('live'))
    .action(async ({ state }: { state: HubState }) => {
      const items = await cli.api.all('GET /hubs', { query: { state } });
      const none = cli.json || items.length > 0 ? '' : await noHubs(cli, state);
      printList(cli.output, state === 'live' ? [NAME, ID, CREATED] : [NAME, ID, CREATED, DELETED], items, none);
    });

  addCommand(hubs, 'show', {
    about: 'Show a Hub',
    prints: 'The details of the Hub.\nWith --json: {"id", "name", "conversationId", "createdAt", …}.',
    examples: ['hubctl hubs show Releases'],
  })
    .argument('[hub]', 'Hub ID or name')
    .action(async (reference: string | undefined) => {
      const hub = await hubFor(cli, reference, 'Specify a Hub: hubctl hubs show HUB', 'all');
      const now = cli.deps.clock.now();
      printFields(cli.output, hub, [
        ['Name', hub.name],
        ['ID', hub.id],
        ['Conversation', hub.conversationId],
        ['Notes', hub.notesBucketId],
        ['To-dos', hub.todosBucketId],
        ['Retention', hub.retentionDays === null ? 'forever' : count(hub.retentionDays, 'day')],
        ['Created', showTimeAndDistance(hub.createdAt, now)],
        ['Deleted', hub.deletedAt && showTimeAndDistance(hub.deletedAt, now)],
      ]);
    });

  addCommand(hubs, 'create', {
    about: 'Create a Hub',
    prints: 'The name and ID of the new Hub.\nWith --json: {"id", "name", "createdAt", …}.',
    examples: ['hubctl hubs create Releases', 'hubctl hubs create "Night shift" --if-missing --json'],
  })
    .argument('[name]', 'Name of the Hub (up to 64 characters)')
    .option('--if-missing', 'If there is a Hub with this name, print it instead of creating another')
    .action(async (given: string | undefined, { ifMissing }: { ifMissing?: boolean }) => {
      const missing = 'Specify a name: hubctl hubs create NAME';
      const name = await cli.text(given, missing, 'Name of the new Hub:', 'Enter a name.');
      const existing = ifMissing ? await hubNamed(cli, name) : undefined;
      if (existing) return cli.output.result(existing, 'Found Hub ', styled('bold', existing.name), ' ', existing.id);
      const hub = await cli.api
        .request('POST /hubs', { body: { name } })
        .catch(suggestingExisting)
        .catch(namingOptions({ name: given && 'The name' }));
      cli.output.result(hub, 'Created Hub ', styled('bold', hub.name), ' ', hub.id);
      cli.output.hint(`Next, issue a key to post with: hubctl keys issue --hub ${hub.id}`);
      if (hub.isMember !== true) cli.output.hint(`It has no members yet: hubctl hubs members add ${hub.id} EMAIL`);
    });

  addCommand(hubs, 'rename', {
    about: 'Rename a Hub; its keys stay valid',
    prints: 'The new name and the ID.\nWith --json: {"id", "name", …}.',
    examples: ['hubctl hubs rename Releases Deployments'],
  })
    .argument('[hub]', 'Hub ID or current name')
    .argument('[name]', 'New name (up to 64 characters)')
    .action(async (reference: string | undefined, given: string | undefined) => {
      const missing = 'Specify a Hub and a new name: hubctl hubs rename HUB NAME';
      const hub = await hubFor(cli, reference, missing, 'live');
      const name = await cli.text(given, missing, 'New name for the Hub:', 'Enter a name.');
      const renamed = await change(cli, hub, { name }, given && 'The name');
      cli.output.result(renamed, `Renamed "${hub.name}" to `, styled('bold', renamed.name), ' ', renamed.id);
    });

  addCommand(hubs, 'change', {
    about: 'Change the name or the retention of a Hub',
    prints: 'The changed Hub.\nWith --json: {"id", "name", "retentionDays", …}.',
    more: {
      title: 'Confirmation',
      text:
        'Setting or shortening the retention permanently deletes older items, so hubctl asks first.\n' +
        'Without a terminal, --yes is required.',
    },
    examples: [
      'hubctl hubs change Releases --retention-days 90',
      'hubctl hubs change Releases --retention-days none',
      "hubctl hubs change Releases --name 'Deployments' --json",
    ],
  })
    .argument('[hub]', 'Hub ID or name')
    .option('--name <name>', 'Set a new name (up to 64 characters)')
    .option(
      '--retention-days <days>',
      'Permanently delete items older than this many days, or "none" to keep them forever',
    )
    .option('-y, --yes', 'Skip the confirmation')
    .action(async (reference: string | undefined, options: ChangeHubOptions) => {
      const { name, yes } = options;
      const retentionDays = options.retentionDays === undefined ? undefined : readDays(options.retentionDays);
      if (name === undefined && retentionDays === undefined) {
        throw usageError(
          'Nothing to change.',
          'Add --name NAME or --retention-days DAYS. See: hubctl hubs change --help',
        );
      }
      const hub = await hubFor(cli, reference, 'Specify a Hub: hubctl hubs change HUB', 'live');
      if (isShorter(retentionDays, hub.retentionDays)) {
        const span = count(retentionDays, 'day');
        await cli.confirm(yes, `Permanently delete items older than ${span} in the Hub "${hub.name}"?`);
      }
      const body = { ...(name !== undefined && { name }), ...(retentionDays !== undefined && { retentionDays }) };
      const changed = await change(cli, hub, body, '--name');
      const kept = changed.retentionDays === null ? 'forever' : `for ${count(changed.retentionDays, 'day')}`;
      cli.output.result(changed, 'Changed Hub ', styled('bold', changed.name), ` ${changed.id}: keeps items ${kept}`);
    });

  addMemberCommands(hubs, cli);
  addExportHub(hubs, cli);

  addCommand(hubs, 'delete', {
    about: 'Delete a Hub; its keys get 404 until you restore it',
    prints: 'The name and ID of the Hub.\nWith --json: {"id", "name", "deletedAt", …}.',
    examples: ['hubctl hubs delete Releases', 'hubctl hubs delete hub_01KA3T8Q6V5M0G7ZB4W2N9RXEC --yes --json'],
  })
    .argument('[hub]', 'Hub ID or name')
    .option('-y, --yes', 'Skip the confirmation')
    .action(async (reference: string | undefined, options: { yes?: boolean }) => {
      const hub = await hubFor(cli, reference, 'Specify a Hub: hubctl hubs delete HUB --yes', 'live');
      const question = `Delete the Hub "${hub.name}"? Its keys stop working until you restore it.`;
      await cli.confirmName(options.yes, hub.name, question);
      const deleted = await cli.api.request('DELETE /hubs/{hubId}', { hubId: hub.id });
      cli.output.result(deleted, 'Deleted Hub ', styled('bold', deleted.name), ' ', deleted.id);
      cli.output.hint(`To restore it: hubctl hubs restore ${deleted.id}`);
    });

  addCommand(hubs, 'restore', {
    about: 'Restore a deleted Hub; its keys work again',
    prints: 'The name and ID of the Hub.\nWith --json: {"id", "name", …}.',
    examples: ['hubctl hubs list --state deleted', 'hubctl hubs restore Releases'],
  })
    .argument('[deleted-hub]', 'Hub ID or name')
    .action(async (reference: string | undefined) => {
      const hub = await hubFor(cli, reference, 'Specify a Hub: hubctl hubs restore HUB', 'deleted');
      const restored = await cli.api.request('POST /hubs/{hubId}/restoration', { hubId: hub.id });
      cli.output.result(restored, 'Restored Hub ', styled('bold', restored.name), ' ', restored.id);
    });
}

/** Says how to get the existing Hub if the name is taken. */
function suggestingExisting(error: unknown): never {
  const isTaken = error instanceof CliError && error.code === 'conflict';
  throw isTaken ? error.with({ hint: 'To print the existing Hub instead, add --if-missing.' }) : error;
}

interface ChangeHubOptions {
  name?: string;
  retentionDays?: string;
  yes?: boolean;
}

function change(cli: Cli, { id: hubId }: Hub, body: ChangeHubBody, nameOption: string | undefined): Promise<Hub> {
  return cli.api.request('PATCH /hubs/{hubId}', { hubId, body }).catch(namingOptions({ name: nameOption }));
}

/** Returns the live Hub with this name, for scripts that can run twice. The server compares names in the same way. */
async function hubNamed(cli: Cli, name: string): Promise<Hub | undefined> {
  const live = await cli.api.all('GET /hubs', { query: { state: 'live' } });
  return live.find((hub) => normalizeName(hub.name) === normalizeName(name));
}

/** Returns whether the change deletes items that would have been kept. */
function isShorter(days: number | null | undefined, before: number | null): days is number {
  return typeof days === 'number' && (before === null || days < before);
}

/** Parses a number of days or `none`. The server validates the maximum. */
function readDays(text: string): number | null {
  if (text === 'none') return null;
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw usageError(`Invalid --retention-days "${text}".`, 'Use a number of days such as 90, or none.');
}
