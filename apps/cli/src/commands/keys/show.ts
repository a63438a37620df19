import type { ApiKey } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { ADMIN_EXITS, helpNotes } from '../../runtime/help.ts';
import type { Segment } from '../../runtime/output.ts';
import { printFields } from '../../runtime/table.ts';
import { showTimeAndDistance } from '../../runtime/times.ts';
import { warnOfExpiry } from './expiry-warning.ts';
import { shortScopes, stateCell } from './list.ts';
import { isHubless, isLive, keyFor } from './resolve-key.ts';
import { printUsage, USAGE_DAYS, usageOf } from './usage.ts';

export function addShowKey(keys: Command, cli: Cli): void {
  const command = keys
    .command('show')
    .description('Show a key (the secret is never shown)')
    .argument('[key]', 'Key ID or name')
    .option('--usage', `Show the usage on each of the last ${USAGE_DAYS} days`)
    .action((key: string | undefined, options: { usage?: boolean }) => showKey(cli, key, options));
  helpNotes(command, {
    prints:
      'The details of the key.\nWith --json: {"id", "name", "hubId", "scopes", "state", "lastUsedAt", …};\n' +
      'with --usage, also "usage": [{"day", "requests", "posts"}], oldest day first.',
    exits: ADMIN_EXITS,
    examples: ['hubctl keys show canary-watch', 'hubctl keys show canary-watch --usage'],
  });
}

async function showKey(cli: Cli, reference: string | undefined, options: { usage?: boolean }): Promise<void> {
  // A rotated key shares its name with its successor. Users usually mean the successor, which shows its predecessor.
  const matches = (each: ApiKey) => isLive(each) && each.successorId === null;
  const key = await keyFor(cli, { reference, missing: 'Specify a key: hubctl keys show KEY', matches });
  const usage = options.usage ? await usageOf(cli, key) : undefined;
  if (cli.json) return cli.output.document({ ...key, ...(usage && { usage }) });
  printFields(cli.output, fieldsOf(key, cli.deps.clock.now()));
  if (usage) printUsage(cli, usage);
  warnOfExpiry(cli, [key]);
  if (isHubless(key)) cli.output.note(`To restore its Hub: hubctl hubs restore ${key.hubId}`);
}

function fieldsOf(key: ApiKey, now: number): [string, Segment][] {
  const time = (title: string, at: string | null): [string, Segment][] =>
    at === null ? [] : [[title, showTimeAndDistance(at, now)]];
  const text = (title: string, value: string | null): [string, Segment][] => (value === null ? [] : [[title, value]]);
  return [
    ['Name', key.name],
    ['ID', key.id],
    ['Key', key.hint],
    ['Hub', `${key.hubName} (${key.hubId})`],
    ['Scopes', shortScopes(key)],
    ['State', isHubless(key) ? `${key.state}, but its Hub was deleted: requests get 404` : stateCell(key)],
    ...time('Blocked until', key.blockedUntil),
    ['Issued', `${showTimeAndDistance(key.createdAt, now)} by ${issuerOf(key)}`],
    ['Expires', key.expiresAt === null ? 'never' : showTimeAndDistance(key.expiresAt, now)],
    ...(key.state === 'revoked' ? [] : time(isLive(key) ? 'Works until' : 'Worked until', key.overlapEndsAt)),
    ...time('Revoked', key.revokedAt),
    ['Last used', key.lastUsedAt === null ? 'never' : showTimeAndDistance(key.lastUsedAt, now)],
    ...text('Last used from', key.lastUsedAddress),
    ['Requests', String(key.requestCount)],
    ['Posts', String(key.postCount)],
    ['Rotation', String(key.generation)],
    ...text('Predecessor', key.predecessorId),
    ...text('Successor', key.successorId),
  ];
}

function issuerOf({ createdBy, isIssuerGone }: ApiKey): string {
  return isIssuerGone ? `${createdBy.name} (account disabled)` : createdBy.name;
}
