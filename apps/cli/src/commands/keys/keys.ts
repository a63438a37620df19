import { Option } from '@commander-js/extra-typings';
import type { ApiKey, KeyState } from '@hub/contract';
import { currentState, endOf } from '@hub/contract/key-state';
import { dueWarning } from '@hub/contract/key-warnings';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import { usageError } from '../../runtime/errors.ts';
import { count, showDistance, showTimeAndDistance } from '../../runtime/format.ts';
import { type Segment, type Style, styled } from '../../runtime/output.ts';
import { hubFor, isHubless, isLive, keyFor, shortHint, shortScopes, stateOf } from '../../runtime/resolve.ts';
import { type Column, freeText, printFields, printList } from '../../runtime/table.ts';
import { addIssueKey, DESCRIPTION, LINK } from './issue.ts';
import { addKeyPosts } from './remove-posts.ts';
import { addRotateCommands, givenKey, isNewest, KEY_STDIN, warnOfOlder } from './rotate.ts';

const STATE_STYLES: Readonly<Record<KeyState, Style>> = {
  active: 'green',
  rotated: 'yellow',
  blocked: 'red',
  expired: 'dim',
  revoked: 'dim',
};

export function addKeyCommands(program: Command, cli: Cli): void {
  const keys = program.command('keys').description('Manage API keys');

  addCommand(keys, 'list', {
    about: 'List keys that have not ended, newest first (secrets are never shown)',
    prints:
      'A table of keys, and warnings 14, 7 and 1 day before a key expires.\n' +
      'With --json: {"items": [{"id", "name", "hubId", "state", …}]}, including revoked and expired keys.',
    examples: ['hubctl keys list', 'hubctl keys list --hub Releases --state active --json'],
  })
    .option('--hub <hub>', 'Show only keys of this Hub (ID or name)')
    .addOption(
      new Option('--state <state>', 'Show only keys in this state').choices(Object.keys(STATE_STYLES) as KeyState[]),
    )
    .addOption(new Option('--all', 'Show revoked and expired keys, too').conflicts('state'))
    .action(async (options) => {
      const hub = options.hub === undefined ? undefined : await hubFor(cli, options.hub, 'all');
      const items = await cli.api.all('GET /keys', { query: { hubId: hub?.id, state: options.state } });
      // Programs get everything, whatever a reader wants to see.
      const visibleKeys = cli.json || options.all || options.state !== undefined ? items : items.filter(isLive);
      const isFiltered = hub !== undefined || options.state !== undefined || items.length > 0;
      const none = isFiltered ? 'No matching keys.' : 'No keys yet. Issue one: hubctl keys issue';
      printList(cli.output, columns(cli.deps.clock.now()), visibleKeys, none);
      if (cli.json) return;
      const ended = items.length - visibleKeys.length;
      if (ended > 0) cli.output.note(styled('dim', `Not shown: ${count(ended, 'key')} that ended. Add --all.`));
      warnOfExpiry(cli, visibleKeys);
      // Keys outlive the accounts that issued them.
      const orphans = visibleKeys.filter((key) => key.isIssuerGone && isLive(key) && !key.isHubDeleted);
      const names = orphans.map((key) => key.name).join(', ');
      if (names !== '') cli.output.note(`Issued by accounts that are now disabled: ${names}`);
    });

  addCommand(keys, 'show [key]', {
    about: 'Show a key (the secret is never shown)',
    prints: 'The details of the key.\nWith --json: {"id", "name", "hubId", "scopes", "state", "lastUsedAt", …}.',
    examples: ['hubctl keys show canary-watch', 'hubctl keys show …gLgo', 'hubctl keys show --key-stdin'],
  })
    .option('--key-stdin', KEY_STDIN)
    .action(async (reference, options) => {
      const key = await givenKey(cli, reference, options.keyStdin, isNewest);
      printFields(cli.output, key, fieldsOf(key, cli.deps.clock.now()));
      if (cli.json) return;
      warnOfExpiry(cli, [key]);
      await warnOfOlder(cli, key);
      if (isHubless(key)) cli.output.note(`To restore its Hub: hubctl hubs restore ${key.hubId}`);
    });

  addCommand(keys, 'edit [key]', {
    about: 'Change the name, the description or the link of a key',
    prints: 'The name and ID of the key.\nWith --json: {"id", "name", "description", "link", …}.',
    examples: ['hubctl keys edit ci --link https://wiki.example.org/ci', 'hubctl keys edit ci --no-description'],
  })
    .option('--name <name>', 'Set a new name (up to 64 characters)')
    .option('--description <text>', DESCRIPTION)
    .option('--no-description', 'Remove the description')
    .option('--link <url>', LINK)
    .option('--no-link', 'Remove the link')
    .action(async (reference, options) => {
      const key = await keyFor(cli, reference, isNewest);
      const { name, description, link } = options;
      const body = {
        ...(name === undefined ? {} : { name }),
        ...(description === undefined ? {} : { description: description || null }),
        ...(link === undefined ? {} : { link: link || null }),
      };
      if (Object.keys(body).length === 0)
        throw usageError('Nothing to change.', 'Add --name, --description, --link, --no-description or --no-link.');
      const changed = await cli.api.request('PATCH /keys/{keyId}', { keyId: key.id, body });
      cli.output.result(changed, 'Changed key ', styled('bold', changed.name), ' ', changed.id);
    });

  addIssueKey(keys, cli);
  addRotateCommands(keys, cli);
  addKeyPosts(keys, cli);
}

function columns(now: number): Column<ApiKey>[] {
  return [
    { title: 'NAME', cell: (key) => freeText(key.name) },
    { title: 'HUB', cell: (key) => freeText(key.hubName), dropOrder: 6 },
    { title: 'KEY', cell: shortHint },
    { title: 'SCOPES', cell: (key) => shortScopes(key), dropOrder: 2 },
    { title: 'STATE', cell: (key) => stateCell(key), dropOrder: 7 },
    { title: 'EXPIRES', cell: (key) => expiryCell(key, now), dropOrder: 5 },
    { title: 'LAST USED', cell: (key) => (key.lastUsedAt ? showDistance(key.lastUsedAt, now) : 'never'), dropOrder: 4 },
    { title: 'FROM', cell: (key) => key.lastUsedAddress ?? '-', dropOrder: 1 },
    { title: 'ID', cell: (key) => key.id },
  ];
}

function stateCell(key: ApiKey): Segment {
  return styled(isHubless(key) ? 'dim' : (STATE_STYLES[key.state] ?? 'bold'), stateOf(key));
}

function expiryCell(key: ApiKey, now: number): Segment {
  if (key.state === 'revoked') return '-';
  const end = endOf(key);
  if (end === null) return 'never';
  const days = warningDays(key, now);
  const distance = showDistance(new Date(end).toISOString(), now);
  return days === null ? distance : styled(days === 1 ? 'red' : 'yellow', distance);
}

function fieldsOf(key: ApiKey, now: number): [string, Segment | null][] {
  const time = (at: string | null) => at && showTimeAndDistance(at, now);
  return [
    ['Name', key.name],
    ['Description', key.description],
    ['Link', key.link],
    ['ID', key.id],
    ['Key', key.hint],
    ['Hub', `${key.hubName} (${key.hubId})`],
    ['Scopes', shortScopes(key)],
    ['State', isHubless(key) ? `${key.state}, but its Hub was deleted: requests get 404` : stateCell(key)],
    ['Blocked until', time(key.blockedUntil)],
    [
      'Issued',
      `${showTimeAndDistance(key.createdAt, now)} by ${key.createdBy.name}${key.isIssuerGone ? ' (account disabled)' : ''}`,
    ],
    ['Expires', time(key.expiresAt) ?? 'never'],
    [isLive(key) ? 'Works until' : 'Worked until', key.state === 'revoked' ? null : time(key.overlapEndsAt)],
    ['Revoked', time(key.revokedAt)],
    ['Last used', time(key.lastUsedAt) ?? 'never'],
    ['Last used from', key.lastUsedAddress],
    ['Requests', String(key.requestCount)],
    ['Posts', String(key.postCount)],
    ['Generation', key.generation === 1 ? null : String(key.generation)],
    ['Predecessor', key.predecessorId],
    ['Successor', key.successorId],
  ];
}

/**
 * Returns which expiry warning is due, in days before the expiry. Returns `null` if none is due, if the key already has
 * a successor, or if it cannot have one.
 */
function warningDays(key: ApiKey, nowMs: number): number | null {
  const state = currentState(key, nowMs);
  const isOver = state === 'revoked' || state === 'expired';
  return isOver || key.successorId !== null || key.isHubDeleted ? null : dueWarning(key, nowMs);
}

/** Warns about each key that expires soon, below the output of the command. */
function warnOfExpiry(cli: Cli, keys: ApiKey[]): void {
  const now = cli.deps.clock.now();
  for (const key of keys) {
    const days = warningDays(key, now);
    if (days === null || key.expiresAt === null) continue;
    cli.output.warn(`The key ${key.name} expires ${showDistance(key.expiresAt, now)}. To rotate it:`);
    cli.output.note(`  hubctl keys rotate ${key.id}`);
  }
}
