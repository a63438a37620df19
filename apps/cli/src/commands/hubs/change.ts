import type { ChangeHubBody, CreateHubBody, Hub } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { CliError, EXIT, namingOptions, usageError } from '../../runtime/errors.ts';
import { count } from '../../runtime/format.ts';
import { addCommand } from '../../runtime/help.ts';
import { styled } from '../../runtime/output.ts';
import { hubFor } from '../../runtime/resolve-hub.ts';
import { segment } from '../../runtime/workspace-api.ts';

export function addCreateHub(hubs: Command, cli: Cli): void {
  addCommand(hubs, 'create', {
    about: 'Create a Hub',
    prints: 'The name and ID of the new Hub.\nWith --json: {"id", "name", "createdAt", …}.',
    examples: ['hubctl hubs create Releases', 'hubctl hubs create "Night shift" --if-missing --json'],
  })
    .argument('[name]', 'Name of the Hub (up to 64 characters)')
    .option('--if-missing', 'If there is a Hub with this name, print it instead of creating another')
    .action(async (given: string | undefined, { ifMissing }: { ifMissing?: boolean }) => {
      const name = await cli.response(given, 'Specify a name: hubctl hubs create NAME', (prompts) =>
        prompts.text('Name of the new Hub:', (response) => response !== '' || 'Enter a name.'),
      );
      const existing = ifMissing ? await hubNamed(cli, name) : undefined;
      if (existing) return cli.output.result(existing, 'Found Hub ', styled('bold', existing.name), ' ', existing.id);
      const hub = await cli.api
        .post<Hub>('/hubs', { name } satisfies CreateHubBody)
        .catch(namingOptions({ name: given && 'The name' }));
      await warnOfNamesakes(cli, hub);
      if (cli.json) return cli.output.document(hub);
      cli.output.line('Created Hub ', styled('bold', hub.name), ' ', hub.id);
      cli.output.note(styled('dim', `Next, issue a key to post with: hubctl keys issue --hub ${hub.id}`));
    });
}

/** Returns the Hub with this name, for scripts that can run twice. @throws if there are several. */
async function hubNamed(cli: Cli, name: string): Promise<Hub | undefined> {
  // The server trims names.
  const named = (await cli.api.all<Hub>('/hubs', { state: 'live' })).filter((hub) => hub.name === name.trim());
  if (named.length < 2) return named[0];
  const candidates = named.map(({ id }) => id);
  throw new CliError('ambiguous', EXIT.failed, `${count(named.length, 'Hub')} are named "${name}".`, {
    hint: `Use an ID instead: ${candidates.join(', ')}`,
    candidates,
  });
}

export function addRenameHub(hubs: Command, cli: Cli): void {
  addCommand(hubs, 'rename', {
    about: 'Rename a Hub; its keys stay valid',
    prints: 'The new name and the ID.\nWith --json: {"id", "name", …}.',
    examples: ['hubctl hubs rename Releases Deployments'],
  })
    .argument('[hub]', 'Hub ID or current name')
    .argument('[name]', 'New name (up to 64 characters)')
    .action(async (reference: string | undefined, given: string | undefined) => {
      const hub = await hubFor(cli, reference, USAGE, 'live');
      const name = await cli.response(given, USAGE, (prompts) =>
        prompts.text(`New name for the Hub:`, (response) => response !== '' || 'Enter a name.'),
      );
      const body: ChangeHubBody = { name };
      const renamed = await cli.api
        .patch<Hub>(`/hubs/${segment(hub.id)}`, body)
        .catch(namingOptions({ name: given && 'The name' }));
      await warnOfNamesakes(cli, renamed);
      cli.output.result(renamed, `Renamed "${hub.name}" to `, styled('bold', renamed.name), ' ', renamed.id);
    });
}

const USAGE = 'Specify a Hub and a new name: hubctl hubs rename HUB NAME';

interface ChangeHubOptions {
  name?: string;
  retentionDays?: string;
  yes?: boolean;
}

export function addChangeHub(hubs: Command, cli: Cli): void {
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
      const body: ChangeHubBody = {
        ...(name === undefined ? {} : { name }),
        ...(retentionDays === undefined ? {} : { retentionDays }),
      };
      const changed = await cli.api
        .patch<Hub>(`/hubs/${segment(hub.id)}`, body)
        .catch(namingOptions({ name: '--name' }));
      cli.output.result(changed, 'Changed Hub ', styled('bold', changed.name), ` ${changed.id}: ${keeps(changed)}`);
    });
}

/** Returns whether the change deletes items that would have been kept. */
function isShorter(days: number | null | undefined, before: number | null): days is number {
  return typeof days === 'number' && (before === null || days < before);
}

function keeps({ retentionDays }: Pick<Hub, 'retentionDays'>): string {
  return retentionDays === null ? 'keeps items forever' : `keeps items for ${count(retentionDays, 'day')}`;
}

/** Parses a number of days or `none`. The server validates the maximum. */
function readDays(text: string): number | null {
  if (text === 'none') return null;
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw usageError(`Invalid --retention-days "${text}".`, 'Use a number of days such as 90, or none.');
}

export function addDeleteHub(hubs: Command, cli: Cli): void {
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
      const deleted = await cli.api.delete<Hub>(`/hubs/${segment(hub.id)}`);
      if (cli.json) return cli.output.document(deleted);
      cli.output.line('Deleted Hub ', styled('bold', deleted.name), ' ', deleted.id);
      cli.output.note(styled('dim', `To restore it: hubctl hubs restore ${deleted.id}`));
    });
}

export function addRestoreHub(hubs: Command, cli: Cli): void {
  addCommand(hubs, 'restore', {
    about: 'Restore a deleted Hub; its keys work again',
    prints: 'The name and ID of the Hub.\nWith --json: {"id", "name", …}.',
    examples: ['hubctl hubs list --state deleted', 'hubctl hubs restore Releases'],
  })
    .argument('[deleted-hub]', 'Hub ID or name')
    .action(async (reference: string | undefined) => {
      const hub = await hubFor(cli, reference, 'Specify a Hub: hubctl hubs restore HUB', 'deleted');
      const restored = await cli.api.post<Hub>(`/hubs/${segment(hub.id)}/restoration`);
      cli.output.result(restored, 'Restored Hub ', styled('bold', restored.name), ' ', restored.id);
    });
}

/** Warns about another Hub with the same name. Duplicates are allowed, but usually mean that a script ran twice. */
async function warnOfNamesakes(cli: Cli, hub: Hub): Promise<void> {
  // The change is done, so failing to list the other Hubs must not look as if the change had failed.
  const live = await cli.api.all<Hub>('/hubs', { state: 'live' }).catch(() => []);
  const others = live.filter((other) => other.name === hub.name && other.id !== hub.id);
  if (others.length === 0) return;
  const ids = others.map((other) => other.id).join(', ');
  cli.output.warn(`Another Hub is also named "${hub.name}": ${ids}. Use IDs to refer to them.`);
}
