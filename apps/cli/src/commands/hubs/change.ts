import type { ChangeHubBody, Hub } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { usageError } from '../../runtime/errors.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { namingOptions } from '../../runtime/name-options.ts';
import { styled } from '../../runtime/output.ts';
import { hubFor } from '../../runtime/resolve-hub.ts';
import { count } from '../../runtime/times.ts';
import { segment } from '../../runtime/workspace-api.ts';

interface ChangeHubOptions {
  name?: string;
  retentionDays?: string;
  yes?: boolean;
}

export function addChangeHub(hubs: Command, cli: Cli): void {
  const command = hubs
    .command('change')
    .description('Change the name or the retention of a Hub')
    .argument('[hub]', 'Hub ID or name')
    .option('--name <name>', 'Set a new name (up to 64 characters)')
    .option(
      '--retention-days <days>',
      'Permanently delete items older than this many days, or "none" to keep them forever',
    )
    .option('-y, --yes', 'Skip the confirmation')
    .action((hub: string | undefined, options: ChangeHubOptions) => changeHub(cli, hub, options));
  helpNotes(command, {
    prints: 'The changed Hub.\nWith --json: {"id", "name", "retentionDays", …}.',
    more: {
      title: 'Confirmation',
      text:
        'Setting or shortening the retention permanently deletes older items, so hubctl asks first.\n' +
        'Without a terminal, --yes is required.',
    },
    exits: ADMIN_EXITS,
    examples: [
      'hubctl hubs change Releases --retention-days 90',
      'hubctl hubs change Releases --retention-days none',
      "hubctl hubs change Releases --name 'Deployments' --json",
    ],
  });
}

async function changeHub(cli: Cli, reference: string | undefined, options: ChangeHubOptions): Promise<void> {
  const { name, yes } = options;
  const retentionDays = options.retentionDays === undefined ? undefined : readDays(options.retentionDays);
  if (name === undefined && retentionDays === undefined) {
    throw usageError('Nothing to change.', 'Add --name NAME or --retention-days DAYS. See: hubctl hubs change --help');
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
  const changed = await cli.api.patch<Hub>(`/hubs/${segment(hub.id)}`, body).catch((error) => {
    throw namingOptions(error, { name: '--name' });
  });
  if (cli.json) return cli.output.document(changed);
  cli.output.line('Changed Hub ', styled('bold', changed.name), ` ${changed.id}: ${keeps(changed)}`);
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
