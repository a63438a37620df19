import type { Command } from 'commander';
import type { Cli } from '../runtime/cli.ts';
import { addCommand } from '../runtime/command-line.ts';
import { showBytes, showSpan, showTime, showTimeAndDistance } from '../runtime/format.ts';
import { printFields } from '../runtime/table.ts';

export function addStatusCommand(program: Command, cli: Cli): void {
  addCommand(program, 'status', {
    about: 'Show the status of the server: version, address, sizes and last backup',
    prints: 'The status fields.\nWith --json: {"version", "baseUrl", "uptimeSeconds", "hubs", "keys", "items", …}.',
    examples: ['hubctl status', 'hubctl status --data-dir /var/lib/hub --json'],
  }).action(async () => {
    const status = await cli.api.request('GET /status');
    const { lastBackup: last } = status;
    printFields(cli.output, status, [
      ['Version', status.version],
      ['Address', status.baseUrl],
      ['Uptime', `${showSpan(status.uptimeSeconds)}, since ${showTime(status.startedAt)}`],
      ['Hubs', String(status.hubs)],
      ['Keys in use', String(status.keys)],
      ['Items', String(status.items)],
      ['Data directory', status.dataDir],
      ['Database', `${showBytes(status.databaseBytes)} (write-ahead log: ${showBytes(status.walBytes)})`],
      [
        'Last backup',
        last ? `${showTimeAndDistance(last.takenAt, cli.deps.clock.now())}, ${showBytes(last.bytes)}` : 'none',
      ],
    ]);
    if (!cli.json && status.version !== cli.deps.version) {
      cli.output.warn(`This hubctl is version ${cli.deps.version}. Use the hubctl that came with the server.`);
    }
  });
}

export function addVersionCommand(program: Command, cli: Cli): void {
  addCommand(program, 'version', {
    about: 'Show the version of hubctl (hubctl status shows that of the server)',
    prints: 'The version.\nWith --json: {"version"}.',
    exits: '0 success, 2 usage error',
    examples: ['hubctl version', 'hubctl version --json'],
  }).action(() => {
    const { version } = cli.deps;
    cli.output.result({ version }, version);
  });
}
