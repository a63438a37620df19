import type { Command } from 'commander';
import type { Cli } from '../../runtime/cli.ts';
import { helpNotes } from '../../runtime/help.ts';
import type { TailFlags } from './tail-options.ts';

export function addTailCommand(program: Command, cli: Cli): void {
  const command = program
    .command('tail')
    .description('follow Hubs live: every post, reply, reaction and change as it happens')
    .argument('[hub...]', 'ids or names of Hubs (default: all that you may read, also those that appear later)')
    .option('--since <when>', 'first show what came since: 10m, 2h, 3d, a time, the number of an event, or all')
    .option(
      '-n, --limit <count>',
      'first show so many earlier items (default: 10, or all since --since; with --json 0)',
    )
    .option('--kind <kinds>', 'only messages, notes or todos, or several of them: notes,todos')
    .action(async (hubs: string[], options: TailFlags) => {
      // Only who follows needs the live library.
      const { tail } = await import('./tail.ts');
      await tail(cli, hubs, options);
    });
  helpNotes(command, {
    prints:
      'What happens, until you press Ctrl-C. Times are of this machine. How the connection\n' +
      'fares goes to standard error; it comes back by itself, and nothing is missing then.\n' +
      'With --json: one JSON document a line:\n' +
      '  {"type": "event", "hubId", "seq", "event": "message.created", "data": {…}} as the server sends it;\n' +
      '  {"type": "item", "hubId", "event", "data"} an earlier item, from a list, so without a seq;\n' +
      '  {"type": "reset", "hubId", "seq", "epoch"} events are gone: items that are new follow, then the events after seq;\n' +
      '  {"type": "error", "hubId", "code", "message"} this Hub is not followed any more.',
    more: {
      title: 'Since',
      text:
        'A duration (90s, 10m, 2h, 3d), a time (2026-03-01T09:30Z, or 2026-03-01, 2026-03-01T09:30,\n' +
        '09:30 by the clock of this machine), all, or the number of an event: what came after it,\n' +
        'for one Hub, as a program does that goes on where it stopped. The server keeps events for\n' +
        '7 days; with --json, --since all gives all events if it still has them, else the items.',
    },
    exits:
      '0 stopped with Ctrl-C, or nobody reads it any more, 1 refused or no Hub left to follow,\n2 wrong usage, 3 cannot reach the server at the start, 4 not allowed, or signed out',
    examples: [
      'hubctl tail',
      'hubctl tail Releases --since 2h',
      'hubctl tail Releases Ops --kind notes,todos -n 50',
      'hubctl tail Releases --json | jq -r \'select(.event == "message.created") | .data.text\'',
      'hubctl tail Releases --json --since 41',
    ],
  });
}
