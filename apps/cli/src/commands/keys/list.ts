import type { ApiKey, KeyState } from '@hub/contract';
import { endOf } from '@hub/contract/key-state';
import { type Command, Option } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { type Segment, type Style, styled } from '../../runtime/output.ts';
import { type Column, printTable } from '../../runtime/table.ts';
import { showDistance } from '../../runtime/times.ts';
import { resolveHub } from '../hubs/resolve-hub.ts';
import { warningDays, warningStyle, warnOfExpiry } from './expiry-warning.ts';
import { isHubless, isLive, stateOf } from './resolve-key.ts';
import { sparkline, USAGE_DAYS } from './usage.ts';

const STATE_STYLES: Readonly<Record<KeyState, Style>> = {
  active: 'green',
  rotated: 'yellow',
  blocked: 'red',
  expired: 'dim',
  revoked: 'dim',
};

export interface ListKeysOptions {
  hub?: string;
  state?: KeyState;
  usage?: boolean;
}

export function addListKeys(keys: Command, cli: Cli): void {
  const command = keys
    .command('list')
    .description('list the keys, newest first; never the keys themselves')
    .option('--hub <hub>', 'only those of one Hub: its id or name')
    .addOption(new Option('--state <state>', 'only those in one state').choices(Object.keys(STATE_STYLES)))
    .option('--usage', `show how much each was used on the last ${USAGE_DAYS} days`)
    .action((options: ListKeysOptions) => listKeys(cli, options));
  helpNotes(command, {
    prints:
      'A table, and a warning for each key that expires within 14, 7 or 1 days.\n' +
      'With --json: all of them, {"items": [{"id", "name", "hubId", "state", …}]};\n' +
      'with --usage each has "usage": [{"day", "requests", "posts"}].',
    exits: ADMIN_EXITS,
    examples: ['hubctl keys list', 'hubctl keys list --hub Releases --state active --json'],
  });
}

export async function listKeys(cli: Cli, options: ListKeysOptions): Promise<void> {
  const hub = options.hub === undefined ? undefined : await resolveHub(cli, options.hub, 'all');
  const items = await cli.api.all<ApiKey>('/keys', {
    hubId: hub?.id,
    state: options.state,
    usageDays: options.usage ? String(USAGE_DAYS) : undefined,
  });
  if (cli.json) return cli.output.document({ items });
  if (items.length === 0) {
    const isFiltered = hub !== undefined || options.state !== undefined;
    cli.output.note(isFiltered ? 'There is no such key.' : 'There is no key yet. Make one: hubctl keys issue');
    return;
  }
  printTable(cli.output, columns(cli.deps.clock.now(), options, cli.output.columns), items);
  warnOfExpiry(cli, items);
  warnOfMissingIssuers(cli, items);
}

/** Below the list: keys outlive the accounts that issued them, and somebody should know that they are still in use. */
function warnOfMissingIssuers(cli: Cli, keys: ApiKey[]): void {
  const names = keys.filter((key) => key.isIssuerGone && isLive(key) && !key.isHubDeleted).map((key) => key.name);
  if (names.length > 0) cli.output.note(`Issued by accounts that were disabled since: ${names.join(', ')}`);
}

/** On a terminal of this width or more, ids are shown whatever else is left out. */
const WIDTH_FOR_IDS = 100;

function columns(now: number, { usage }: ListKeysOptions, width = WIDTH_FOR_IDS): Column<ApiKey>[] {
  const usageColumn: Column<ApiKey> = { title: `LAST ${USAGE_DAYS} DAYS`, cell: (key) => sparkline(key.usage ?? []) };
  return [
    { title: 'NAME', cell: (key) => key.name },
    { title: 'HUB', cell: (key) => key.hubName, dropOrder: 5 },
    { title: 'KEY', cell: (key) => key.hint, dropOrder: 6 },
    { title: 'SCOPES', cell: (key) => shortScopes(key), dropOrder: 3 },
    { title: 'STATE', cell: (key) => stateCell(key) },
    { title: 'EXPIRES', cell: (key) => expiryCell(key, now) },
    {
      title: 'LAST USED',
      cell: (key) => (key.lastUsedAt ? showDistance(key.lastUsedAt, now) : 'never'),
      dropOrder: 4,
    },
    { title: 'FROM', cell: (key) => key.lastUsedAddress ?? '-', dropOrder: 1 },
    ...(usage ? [usageColumn] : []),
    // Two of one name are told apart by the end of the key, and commands say the ids of those.
    { title: 'ID', cell: (key) => key.id, ...(width < WIDTH_FOR_IDS && { dropOrder: 2 }) },
  ];
}

/** `messages,notes`: the words that `--scopes` takes. */
export function shortScopes(key: ApiKey): string {
  return key.scopes.map((scope) => scope.replace(/:create$/, '')).join(',');
}

export function stateCell(key: ApiKey): Segment {
  return styled(isHubless(key) ? 'dim' : (STATE_STYLES[key.state] ?? 'bold'), stateOf(key));
}

function expiryCell(key: ApiKey, now: number): Segment {
  if (key.state === 'revoked') return '-';
  const end = endOf(key);
  if (end === null) return 'never';
  const days = warningDays(key, now);
  const distance = showDistance(new Date(end).toISOString(), now);
  return days === null ? distance : styled(warningStyle(days), distance);
}
