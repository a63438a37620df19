import type { NodeList, NodeStatus, ServerStatus } from '@hub/contract';
import type { Command } from 'commander';
import type { Cli } from '../runtime/cli.ts';
import { addCommand } from '../runtime/command-line.ts';
import { count, hasSameApi, showBytes, showSpan, showTime, showTimeAndDistance } from '../runtime/format.ts';
import { type Column, freeText, printFields, printList } from '../runtime/table.ts';

/** Limits and expiries of the nodes differ by as much. */
export const MAX_CLOCK_DIFFERENCE_MS = 2_000;

/** The share of `HUB_FILES_MAX_BYTES` from which on there is a warning. */
const FILES_ALMOST_FULL = 0.9;

type Field = [name: string, text: string];

export function addStatusCommand(program: Command, cli: Cli): void {
  addCommand(program, 'status', {
    about: 'Show the status of the server: version, address, sizes and last backup, or node and standbys',
    prints: 'The status fields.\nWith --json: {"version", "baseUrl", "uptimeSeconds", "hubs", "keys", "items", …}.',
    examples: ['hubctl status', 'hubctl status --data-dir /var/lib/hub --json'],
  }).action(async () => {
    const status = await cli.api.request('GET /status');
    printFields(cli.output, status, [
      ['Version', status.version],
      ['Address', status.baseUrl],
      ['Uptime', `${showSpan(status.uptimeSeconds)}, since ${showTime(status.startedAt)}`],
      ['Hubs', String(status.hubs)],
      ['Keys in use', String(status.keys)],
      ['Items', String(status.items)],
      ['Files', `${showBytes(status.fileBytes)} of ${showBytes(status.maxFileBytes)}`],
      ['Data directory', status.dataDir],
      ...(status.node === null ? embeddedFields(status, cli.deps.clock.now()) : nodeFields(status, status.node)),
    ]);
    const warning = filesWarning(status);
    if (!cli.json && warning !== null) cli.output.warn(warning);
    if (!cli.json && !hasSameApi(status.version, cli.deps.version)) {
      cli.output.warn(`This hubctl is version ${cli.deps.version}. Use the hubctl that came with the server.`);
    }
  });
}

export function filesWarning({ fileBytes, maxFileBytes }: ServerStatus): string | null {
  // A limit of 0 turns files off.
  if (maxFileBytes === 0 || fileBytes < maxFileBytes * FILES_ALMOST_FULL) return null;
  return `The files take ${showBytes(fileBytes)} of ${showBytes(maxFileBytes)}. Beyond that, uploads get 413.`;
}

function embeddedFields({ databaseBytes, walBytes, lastBackup: last }: ServerStatus, nowMs: number): Field[] {
  return [
    ['Database', `${showBytes(databaseBytes)} (write-ahead log: ${showBytes(walBytes)})`],
    ['Last backup', last ? `${showTimeAndDistance(last.takenAt, nowMs)}, ${showBytes(last.bytes)}` : 'none'],
  ];
}

function nodeFields({ databaseBytes }: ServerStatus, { id, isLeader, nodes, eventLag, standbys }: NodeStatus): Field[] {
  return [
    ['Database', `${showBytes(databaseBytes)} in PostgreSQL`],
    ['Node', `${id}${isLeader ? ' (leader)' : ''}, one of ${nodes}`],
    ['Live lag', count(eventLag, 'event')],
    ...standbys.map(({ name, isSynchronous, lagBytes }): Field => {
      const lag = lagBytes === null ? 'lag unknown (grant pg_monitor to see it)' : `${showBytes(lagBytes)} behind`;
      return ['Standby', `${name}${isSynchronous ? ' (synchronous)' : ''}: ${lag}`];
    }),
    ['Backups', 'with pg_dump or base backups, not with hubctl'],
  ];
}

export function addNodesCommand(program: Command, cli: Cli): void {
  addCommand(program, 'nodes', {
    about: 'List the nodes that share the workspace in PostgreSQL',
    prints:
      'A table of nodes.\n' +
      'With --json: {"items": [{"id", "host", "version", "schema", "startedAt", "isLeader", "clockDifferenceMs", "liveConnections"}], "missing": [IDs of nodes that did not respond]}.',
    examples: ['hubctl nodes', 'hubctl nodes --json'],
  }).action(async () => {
    const nodes = await cli.api.request('GET /nodes');
    if (cli.json) return cli.output.document(nodes);
    const now = cli.deps.clock.now();
    const columns: Column<NodeList['items'][number]>[] = [
      { title: 'HOST', cell: ({ host }) => freeText(host) },
      { title: 'ROLE', cell: ({ isLeader }) => (isLeader ? 'leader' : 'follower') },
      { title: 'VERSION', cell: ({ version }) => version },
      { title: 'SCHEMA', cell: ({ schema }) => String(schema) },
      {
        title: 'UPTIME',
        cell: ({ startedAt }) => showSpan(Math.max(0, Math.floor((now - Date.parse(startedAt)) / 1000))),
      },
      { title: 'CLOCK', cell: ({ clockDifferenceMs: ms }) => `${ms < 0 ? '' : '+'}${ms} ms` },
      { title: 'LIVE', cell: ({ liveConnections }) => String(liveConnections) },
      { title: 'ID', cell: ({ id }) => id },
    ];
    printList(cli.output, columns, nodes.items, 'The workspace is in SQLite, so there is this server alone.');
    for (const id of nodes.missing)
      cli.output.warn(`${id} is connected to the database and did not respond within a second.`);
    const isApart = nodes.items.some(({ clockDifferenceMs }) => Math.abs(clockDifferenceMs) > MAX_CLOCK_DIFFERENCE_MS);
    if (isApart) cli.output.warn('The clocks of the nodes differ from that of the database: synchronize them.');
  });
}
