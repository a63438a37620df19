import type { WireKind } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { addCommand } from '../../runtime/command-line.ts';
import { usageError } from '../../runtime/errors.ts';
import { readPast } from '../../runtime/format.ts';
import type { Since, TailOptions } from './earlier.ts';

export function addTailCommand(program: Command, cli: Cli): void {
  addCommand(program, 'tail', {
    about: 'Follow Hubs live: every post, reply, reaction and change as it happens',
    prints:
      'Events as they happen, until you press Ctrl-C. Times are in local time. Connection status goes to\n' +
      'standard error; hubctl reconnects automatically without missing events.\n' +
      'With --json: one JSON document per line:\n' +
      '  {"type": "event", "hubId", "seq", "event": "message.created", "data": {…}} as the server sends it;\n' +
      '  {"type": "item", "hubId", "event", "data"} an earlier item from a list, without a seq;\n' +
      '  {"type": "reset", "hubId", "seq", "epoch"} events are no longer available: new items follow, then the events after seq;\n' +
      '  {"type": "error", "hubId", "code", "message"} this Hub is no longer followed.',
    more: {
      title: 'Since',
      text:
        'A duration (90s, 15m, 12h, 3d, 2w), a time (2026-03-01T09:30Z, or with an offset such as +01:00), all, or an\n' +
        'event number. To resume one Hub, pass the number of the last\n' +
        'event that a program has seen. The server keeps events for 7 days. With --json, --since all\n' +
        'prints all events if the server still has them, else the items.',
    },
    exits:
      '0 stopped with Ctrl-C or by a closed pipe, 1 error or no Hub left to follow,\n2 usage error, 3 server unreachable at the start, 4 not allowed or signed out',
    examples: [
      'hubctl tail',
      'hubctl tail Releases --since 2h',
      'hubctl tail Releases Ops --kind notes,todos -n 50',
      'hubctl tail Releases --json |\n  jq -r \'select(.event == "message.created") | .data.text\'',
      'hubctl tail Releases --json --since 41',
    ],
  })
    .argument('[hub...]', 'Hub IDs or names (default: all Hubs that you can read, including new ones)')
    .option('--since <when>', 'Start from this point: how long ago (10m, 2h, 3d), a time, an event number, or all')
    .option('-n, --limit <count>', 'Show this many earlier items first (default: 10; all with --since; 0 with --json)')
    .option('--kind <kinds>', 'Show only these kinds: one or more of messages,notes,todos')
    .action(async (hubs, flags) => {
      const options = readFlags(flags, hubs.length, cli);
      // Loaded on demand, since only this command needs the live library.
      const { tail } = await import('./tail.ts');
      await tail(cli, hubs, options);
    });
}

/** The default for text output, as in `tail` and `journalctl`. JSON output defaults to 0. */
const DEFAULT_ITEMS = 10;
const MAX = 10_000;

/** @throws a usage error that says what to change. */
function readFlags(
  flags: { since?: string; limit?: string; kind?: string },
  hubCount: number,
  { json, deps }: Cli,
): TailOptions {
  const given = flags.limit === undefined ? undefined : readLimit(flags.limit);
  let since = flags.since === undefined ? undefined : readSince(flags.since, deps.clock.now());
  if (since && 'seq' in since) {
    if (given !== undefined)
      throw usageError('--limit cannot be combined with an event number in --since.', 'Remove --limit.');
    if (hubCount !== 1) throw usageError('Event numbers are per Hub: --since with a number needs exactly one Hub.');
  }
  // JSON output has the events themselves instead of items. If the server no longer has them all, it sends a reset.
  if (flags.since === 'all' && json && given === undefined) since = { seq: 0 };
  const limit = given ?? (since ? Infinity : json ? 0 : DEFAULT_ITEMS);
  return { since, limit, kinds: flags.kind === undefined ? undefined : readKinds(flags.kind) };
}

function readLimit(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= MAX) return Number(text);
  throw usageError(`--limit must be a whole number from 0 to ${MAX}.`, 'To show more, use --since 3d or --since all.');
}

function readKinds(text: string): ReadonlySet<WireKind> {
  const kinds = text.split(',').map((word) => word.trim().replace(/s$/, ''));
  const unknown = kinds.find((kind) => !['message', 'note', 'todo'].includes(kind));
  if (unknown !== undefined) throw usageError(`Unknown kind "${unknown}".`, 'Use messages, notes or todos.');
  return new Set(kinds as WireKind[]);
}

export function readSince(text: string, nowMs: number): Since {
  if (text === 'all') return { at: 0 };
  if (/^\d{1,15}$/.test(text)) return { seq: Number(text) };
  return { at: Date.parse(readPast('--since', text, nowMs).toUpperCase()) };
}
