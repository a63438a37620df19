import type { ApiKey, KeyState } from '@hub/contract';
import { endOf } from '@hub/contract/key-state';
import { type Command, Option } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import { type Segment, type Style, styled } from '../../runtime/output.ts';
import { resolveHub } from '../../runtime/resolve-hub.ts';
import { type Column, printTable } from '../../runtime/table.ts';
import { showDistance } from '../../runtime/times.ts';
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

interface ListKeysOptions {
  hub?: string;
  state?: KeyState;
  usage?: boolean;
}

export function addListKeys(keys: Command, cli: Cli): void {
  const command = keys
    .command('list')
    .description('List keys, newest first (secrets are never shown)')
    .option('--hub <hub>', 'Show only keys of this Hub (ID or name)')
    .addOption(new Option('--state <state>', 'Show only keys in this state').choices(Object.keys(STATE_STYLES)))
    .option('--usage', `Show the usage of each key in the last ${USAGE_DAYS} days`)
    .action((options: ListKeysOptions) => listKeys(cli, options));
  helpNotes(command, {
    prints:
      'A table of keys, and warnings 14, 7 and 1 day before a key expires.\n' +
      'With --json: {"items": [{"id", "name", "hubId", "state", …}]};\n' +
      'with --usage, each has "usage": [{"day", "requests", "posts"}].',
    exits: ADMIN_EXITS,
    examples: ['hubctl keys list', 'hubctl keys list --hub Releases --state active --json'],
  });
}

async function listKeys(cli: Cli, options: ListKeysOptions): Promise<void> {
  const hub = options.hub === undefined ? undefined : await resolveHub(cli, options.hub, 'all');
  const items = await cli.api.all<ApiKey>('/keys', {
    hubId: hub?.id,
    state: options.state,
    usageDays: options.usage ? String(USAGE_DAYS) : undefined,
  });
  if (cli.json) return cli.output.document({ items });
  if (items.length === 0) {
    const isFiltered = hub !== undefined || options.state !== undefined;
    cli.output.note(isFiltered ? 'No matching keys.' : 'No keys yet. Issue one: hubctl keys issue');
    return;
  }
  printTable(cli.output, columns(cli.deps.clock.now(), options, cli.output.columns), items);
  warnOfExpiry(cli, items);
  warnOfMissingIssuers(cli, items);
}

/** Flags keys whose issuer was disabled, since keys outlive the accounts that issued them. */
function warnOfMissingIssuers(cli: Cli, keys: ApiKey[]): void {
  const names = keys.filter((key) => key.isIssuerGone && isLive(key) && !key.isHubDeleted).map((key) => key.name);
  if (names.length > 0) cli.output.note(`Issued by accounts that are now disabled: ${names.join(', ')}`);
}

/** On terminals of at least this width, the ID column is never dropped. */
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
    // May be dropped: the hint tells keys with the same name apart, and commands list the IDs for an ambiguous name.
    { title: 'ID', cell: (key) => key.id, ...(width < WIDTH_FOR_IDS && { dropOrder: 2 }) },
  ];
}

/** The scopes as `--scopes` accepts them: `messages,notes`. */
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
