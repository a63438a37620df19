import { describe, expect, spyOn, test } from 'bun:test';
import { buildToken, KEY_PREFIX } from '@hub/contract/key-token';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { sharedHubctl } from '../../test/hubctl-on-hub.ts';
import { printedAt, runHubctl } from '../../test/run-hubctl.ts';
import { parseDuration, readDuration, readPast, showDistance, showSpan, showTime } from './format.ts';
import { commandName, styled } from './output.ts';
import { type Column, printTable } from './table.ts';

test('suggested commands call hubctl the same way the user did', () => {
  expect(commandName({})).toBe('hubctl');
  expect(commandName({ npm_lifecycle_event: 'hubctl', PATH: '/usr/bin' })).toBe('bun run hubctl');
  const npx = 'npx --yes --allow-scripts=bun bun@1.4.5 run hubctl';
  expect(commandName({ npm_lifecycle_event: 'hubctl', PATH: '/home/a/.npm/_npx/1/node_modules/.bin' })).toBe(npx);
  expect(commandName({ npm_lifecycle_event: 'hubctl', npm_config_user_agent: 'npm/11.0.0 node/v20' })).toBe(npx);
});

test.each([
  ['hubs create', 'Specify the arguments: bun run hubctl hubs create NAME'],
  ['keys isue', 'See: bun run hubctl keys --help'],
  ['post -x', ': bun run hubctl post -- TEXT'],
  [`keys show ${buildToken(KEY_PREFIX, 'e1'.repeat(17))}`, ': bun run hubctl keys replace --key-stdin'],
])('advice in the repository can be copied: %s', async (line, advice) => {
  const env = { npm_lifecycle_event: 'hubctl', PATH: '/usr/bin' };
  const run = (...flags: string[]) => runHubctl([...line.split(' '), '--data-dir', '/nonexistent', ...flags], { env });
  expect((await run()).stderr).toContain(advice);
  // JSON and help pages have the plain name.
  expect((await run('--json')).stdout).toContain(advice.split('bun run ')[1] ?? '?');
  expect((await run('--help')).stdout).not.toContain('bun run');
});

const COLUMNS: Column<string[]>[] = [
  { title: 'NAME', cell: (row) => row[0] ?? '' },
  { title: 'STATE', cell: (row) => styled('green', row[1] ?? '') },
  { title: 'ID', cell: (row) => row[2] ?? '' },
];

function print(rows: string[][], columns?: number, of = COLUMNS, color = false): string {
  return printedAt(columns, (output) => printTable(output, of, rows), color);
}

test('columns are aligned by their visible width', () => {
  const rows = ['日本 active a', 'plain\x1b[31m ok b'].map((row) => row.split(' '));
  expect(print(rows)).toBe('NAME   STATE   ID\n日本   active  a\nplain  ok      b\n');
  expect(print(rows, 80, COLUMNS, true)).toContain('日本   \x1b[32mactive\x1b[39m  a\n');
  // In a file or a pipe, the width is unlimited.
  expect(print([['one', 'active', 'x'.repeat(300)]])).toContain(`one   active  ${'x'.repeat(300)}\n`);
});

describe('progress', () => {
  const on = sharedHubctl();

  test('nothing is drawn if standard error is not a terminal, or cannot redraw a line', async () => {
    using folder = temporaryFolder();
    // It never fires, however slow the machine is.
    const timer = spyOn(globalThis, 'setInterval').mockReturnValue({ unref: () => {} } as NodeJS.Timeout);
    const run = (file: string, options: { columns?: number; env?: Record<string, string> }) =>
      on.hubctl(['hubs', 'export', 'Releases', folder.file(file)], options);
    expect(await run('1.json', {})).toMatchObject({ code: 0, stderr: '' });
    expect(await run('2.json', { columns: 80, env: { TERM: 'dumb' } })).toMatchObject({ code: 0, stderr: '' });
    expect(timer).not.toHaveBeenCalled();
    expect(await run('3.json', { columns: 80 })).toMatchObject({ code: 0, stderr: '' });
    expect(timer).toHaveBeenCalledTimes(1);
    timer.mockRestore();
  });
});

const NOW = Date.parse('2026-03-01T09:30:00.000Z');
const DAY = 86_400;

test('durations have a number and a unit, with or without a plus sign', () => {
  const seconds = { '90s': 90, '15m': 15 * 60, '12h': 12 * 3600, '3d': 3 * DAY, '2w': 14 * DAY, '0s': 0 };
  for (const [text, expected] of Object.entries(seconds))
    expect([text, parseDuration(text), parseDuration(`+${text}`)]).toEqual([text, expected, expected]);
  const others = ['90', '5y', '5D', '1.5d', '-1d', '++1d', '', 'd', ' 1d', '1d ', '1d1h', '9999999999d'];
  for (const text of [...others, '2026-02-31', '24:00', '2026-02-28T25:00']) {
    expect([text, parseDuration(text)]).toEqual([text, null]);
    expect(() => readDuration('--wait-max', text)).toThrow(`Invalid --wait-max "${text}".`);
    expect(() => readPast('--since', text, NOW)).toThrow(`Invalid --since "${text}".`);
  }
});

test('readPast accepts a duration before now and an instant', () => {
  expect(readPast('--since', '90s', NOW)).toBe('2026-03-01T09:28:30.000Z');
  expect(readPast('--since', '+2w', NOW)).toBe('2026-02-15T09:30:00.000Z');
  expect(readPast('--since', '999999w', NOW)).toBe('1970-01-01T00:00:00.000Z');
  expect(readPast('--since', '2026-02-28t10:30+01:00', NOW)).toBe('2026-02-28t10:30+01:00');
});

test.each([
  [90 * DAY - 1, 'in 90 days'],
  [90 * DAY - 60, 'in 89 days'],
  [4.9 * DAY, 'in 4 days'],
  [3600, 'in 1 hour'],
  [20, 'in less than a minute'],
  [-20, 'just now'],
  [-7200, '2 hours ago'],
  [-3 * DAY, '3 days ago'],
])('showDistance rounds down, except for a time that was just set: %d s are "%s"', (seconds, text) => {
  expect(showDistance(new Date(NOW + seconds * 1000).toISOString(), NOW)).toBe(text);
});

test('showSpan and showTime are short, and showTime includes the time zone', () => {
  expect(showSpan(1)).toBe('1 second');
  expect(showSpan(59)).toBe('59 seconds');
  expect(showTime('2026-03-01T09:30:12.345Z')).toBe('2026-03-01 09:30 UTC');
});
