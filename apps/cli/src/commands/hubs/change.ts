import type { ChangeHubBody, Hub } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { usageError } from '../../runtime/errors.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { namingOptions } from '../../runtime/name-options.ts';
import { styled } from '../../runtime/output.ts';
import { count } from '../../runtime/times.ts';
import { segment } from '../../runtime/workspace-api.ts';
import { hubFor } from './resolve-hub.ts';

export interface ChangeHubOptions {
  name?: string;
  retentionDays?: string;
  yes?: boolean;
}

export function addChangeHub(hubs: Command, cli: Cli): void {
  const command = hubs
    .command('change')
    .description('change the name of a Hub, or how long its items are kept')
    .argument('[hub]', 'its id or name')
    .option('--name <name>', 'the new name, up to 64 characters')
    .option('--retention-days <days>', 'remove items for good after so many days; none keeps them for ever')
    .option('-y, --yes', 'do not ask for confirmation')
    .action((hub: string | undefined, options: ChangeHubOptions) => changeHub(cli, hub, options));
  helpNotes(command, {
    prints: 'The Hub as it is now.\nWith --json: {"id", "name", "retentionDays", …}.',
    more: {
      title: 'Confirmation',
      text:
        'A retention that is set or made shorter removes what is older, for good: that is asked first,\n' +
        'and needs --yes where nobody can be asked.',
    },
    exits: ADMIN_EXITS,
    examples: [
      'hubctl hubs change Releases --retention-days 90',
      'hubctl hubs change Releases --retention-days none',
      "hubctl hubs change Releases --name 'Deployments' --json",
    ],
  });
}

export async function changeHub(cli: Cli, reference: string | undefined, options: ChangeHubOptions): Promise<void> {
  const { name, yes } = options;
  const retentionDays = options.retentionDays === undefined ? undefined : readDays(options.retentionDays);
  if (name === undefined && retentionDays === undefined) {
    throw usageError('Say what to change.', 'Add --name NAME or --retention-days DAYS. See: hubctl hubs change --help');
  }
  const hub = await hubFor(cli, reference, 'Say which Hub: hubctl hubs change HUB', 'live');
  if (isShorter(retentionDays, hub.retentionDays)) {
    const span = count(retentionDays, 'day');
    await cli.confirm(yes, `Remove for good what is older than ${span} in the Hub "${hub.name}", from now on?`);
  }
  const body: ChangeHubBody = {
    ...(name === undefined ? {} : { name }),
    ...(retentionDays === undefined ? {} : { retentionDays }),
  };
  const changed = await cli.api.patch<Hub>(`/hubs/${segment(hub.id)}`, body).catch((error) => {
    throw namingOptions(error, { name: '--name' });
  });
  if (cli.json) return cli.output.document(changed);
  cli.output.line('Changed the Hub ', styled('bold', changed.name), ` ${changed.id}: ${keeps(changed)}`);
}

/** Whether something that would have stayed is removed. */
function isShorter(days: number | null | undefined, before: number | null): days is number {
  return typeof days === 'number' && (before === null || days < before);
}

export function keeps({ retentionDays }: Pick<Hub, 'retentionDays'>): string {
  return retentionDays === null ? 'its items stay for ever' : `its items stay for ${count(retentionDays, 'day')}`;
}

/** How many days are allowed at most is for the server to judge. */
function readDays(text: string): number | null {
  if (text === 'none') return null;
  if (/^\d{1,9}$/.test(text) && Number(text) > 0) return Number(text);
  throw usageError(`--retention-days ${text} is no number of days.`, 'Write it as 90, or none.');
}
