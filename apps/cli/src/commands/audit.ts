import type { AuditEntry } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import type { Command } from 'commander';
import type { Cli } from '../runtime/cli.ts';
import { addCommand } from '../runtime/command-line.ts';
import { usageError } from '../runtime/errors.ts';
import { readPast, showTime } from '../runtime/format.ts';
import { hubFor } from '../runtime/resolve.ts';
import { type Column, freeText, printList } from '../runtime/table.ts';

export function addAuditCommand(program: Command, cli: Cli): void {
  addCommand(program, 'audit', {
    about: 'Show the audit log, newest entry first (admins only)',
    prints:
      'A table of entries. ACTION has the names that --action takes.\n' +
      'With --json: {"items": [{"id", "at", "actor", "address", "action", "hubId", "targetId", "targetName", "details"}]}.',
    examples: [
      'hubctl audit',
      'hubctl audit --action key.revoked --since 30d',
      'hubctl audit --hub Releases --all --json',
    ],
  })
    .option('--hub <hub>', 'Show only entries about this Hub (ID or name)')
    .option('--action <action>', 'Show only this action, such as key.issued; a wrong name lists all names')
    .option('--target <id>', 'Show only entries about this key, Hub or user (ID)')
    .option('--since <time>', 'Show only entries since this time: how long ago (12h, 2w), or 2027-01-31T09:00Z')
    .option('--until <time>', 'Show only entries before this time')
    .option('-n, --limit <count>', 'Show this many entries (default: 50)')
    .option('--all', 'Show all entries')
    .action(async (options) => {
      const now = cli.deps.clock.now();
      const count = options.all ? Infinity : readLimit(options.limit);
      const from = options.since === undefined ? undefined : readPast('--since', options.since, now);
      const to = options.until === undefined ? undefined : readPast('--until', options.until, now);
      const hub = options.hub === undefined ? undefined : await hubFor(cli, options.hub, 'all');
      const { action, target: targetId } = options;
      const limit = Math.min(count, LIMITS.pageItems);
      const query = { hubId: hub?.id, action, targetId, from, to, limit };
      const loaded = await cli.api.pages('GET /audit', { query }, count);
      const items = loaded.items.slice(0, count);
      const isName = targetId !== undefined && !/^[a-z]+_[0-9A-Z]{26}$/.test(targetId);
      const none = `No matching entries.${isName ? ' --target takes an ID, not a name.' : ''}`;
      printList(cli.output, COLUMNS, items, none);
      if (items.length === count && !cli.json)
        cli.output.note('There may be more entries: add --all or --limit COUNT.');
    });
}

function readLimit(text = '50'): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw usageError(`Invalid --limit "${text}".`, 'Use a number such as 50, or --all.');
}

const COLUMNS: Column<AuditEntry>[] = [
  { title: 'TIME', cell: ({ at }) => showTime(at) },
  { title: 'WHO', cell: ({ actor }) => freeText(actor.name) },
  { title: 'ACTION', cell: ({ action }) => action },
  { title: 'TARGET', cell: ({ targetName, targetId }) => freeText(targetName ?? targetId ?? '-') },
  { title: 'FROM', cell: ({ address }) => address ?? '-', dropOrder: 2 },
  { title: 'DETAILS', cell: ({ details }) => freeText(detailsText(details)), dropOrder: 1 },
];

function detailsText(details: AuditEntry['details']): string {
  const entries = Object.entries(details).filter(([, value]) => value !== null && value !== undefined);
  return entries
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}
