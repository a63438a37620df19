import { describe, expect, spyOn, test } from 'bun:test';
import { buildToken, KEY_PREFIX } from '@hub/contract/key-token';
import { temporaryFolder } from '@hub/testkit/cli/files';
import { sharedHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { runHubctl } from '@hub/testkit/cli/run-hubctl';
import { parseDuration, readDuration, readPast, showDistance, showSpan, showTime } from './format.ts';
import { commandName, Output, styled } from './output.ts';
import { type Column, freeText, printTable } from './table.ts';

test('suggested commands call hubctl the same way the user did', () => {
  expect(commandName({})).toBe('hubctl');
  expect(commandName({ npm_lifecycle_event: 'hubctl', PATH: '/usr/bin' })).toBe('bun run hubctl');
  const npx = 'npx --yes --allow-scripts=bun bun@1.4.5 run hubctl';
  expect(commandName({ npm_lifecycle_event: 'hubctl', PATH: '/home/a/.npm/_npx/1/node_modules/.bin' })).toBe(npx);
  expect(commandName({ npm_lifecycle_event: 'hubctl', npm_config_user_agent: 'npm/11.0.0 node/v20' })).toBe(npx);
});

describe('hubctl in the repository', () => {
  const env = { npm_lifecycle_event: 'hubctl', PATH: '/usr/bin' };
  const away = ['--data-dir', '/nonexistent'];

  for (const [argv, advice] of [
    [['hubs', 'create'], 'Specify a name: bun run hubctl hubs create NAME'],
    [['keys', 'isue'], 'See: bun run hubctl keys --help'],
    [['nothing'], 'See: bun run hubctl --help'],
    [['post', '-x'], ': bun run hubctl post message -- TEXT'],
    [['keys', 'show', buildToken(KEY_PREFIX, 'e1'.repeat(17))], ': bun run hubctl keys replace --key-stdin'],
  ] as const) {
    test(`gives advice that can be copied for: ${argv.slice(0, 2).join(' ')}`, async () => {
      expect((await runHubctl([...argv, ...away], { env })).stderr).toContain(advice);
    });
  }

  test('uses the plain name hubctl in JSON and help pages', async () => {
    expect((await runHubctl(['hubs', 'create', '--json'], { env })).stdout).toContain(': hubctl hubs create NAME');
    expect((await runHubctl(['hubs', 'create', '--help'], { env })).stdout).toContain('  hubctl hubs create Releases');
    expect((await runHubctl(['hubs'], { env })).stderr).toStartWith('Usage: hubctl hubs');
  });
});

const COLUMNS: Column<string[]>[] = [
  { title: 'NAME', cell: (row) => row[0] ?? '' },
  { title: 'STATE', cell: (row) => styled('green', row[1] ?? '') },
  { title: 'ID', cell: (row) => row[2] ?? '' },
];

function print(
  rows: string[][],
  { columns, color = false, of = COLUMNS }: { columns?: number; color?: boolean; of?: Column<string[]>[] } = {},
): string {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  const stdout = { isTTY: columns !== undefined, columns, write, drained: () => Promise.resolve(), problem: undefined };
  printTable(new Output({ env: {}, stdout, stderr: { ...stdout, isTTY: false } }, { json: false, color }), of, rows);
  return text;
}

test('columns are aligned by their visible width', () => {
  const rows = [
    ['日本', 'active', 'a'],
    ['plain\x1b[31m', 'ok', 'b'],
  ];
  expect(print(rows)).toBe('NAME   STATE   ID\n日本   active  a\nplain  ok      b\n');
  expect(print(rows, { columns: 80, color: true })).toContain('日本   \x1b[32mactive\x1b[39m  a\n');
});

test('rows are printed as complete blocks on a narrow terminal', () => {
  const rows = [
    ['one', 'active', 'x'.repeat(30)],
    ['two', 'ok', 'y'],
  ];
  expect(print(rows, { columns: 30 })).toBe(
    `Name   one\nState  active\nID     ${'x'.repeat(30)}\n\nName   two\nState  ok\nID     y\n`,
  );
});

test('optional columns are hidden first, in their drop order, and listed below', () => {
  const wanted: Column<string[]>[] = [
    { title: 'NAME', cell: (row) => row[0] ?? '' },
    { title: 'STATE', cell: (row) => row[1] ?? '', dropOrder: 2 },
    { title: 'FROM', cell: () => '127.0.0.1', dropOrder: 1 },
    { title: 'ID', cell: (row) => row[2] ?? '' },
  ];
  const rows = [['one', 'active', 'x'.repeat(10)]];
  const at = (columns: number) => print(rows, { columns, of: wanted });
  expect(at(35)).toBe(`NAME  STATE   FROM       ID\none   active  127.0.0.1  ${'x'.repeat(10)}\n`);
  expect(at(34)).toBe(
    `NAME  STATE   ID\none   active  ${'x'.repeat(10)}\nHidden columns (terminal too narrow): FROM\n`,
  );
  expect(at(16)).toEndWith('narrow): STATE, FROM\n');
  expect(at(15)).toBe(`Name   one\nState  active\nFrom   127.0.0.1\nID     ${'x'.repeat(10)}\n`);
});

describe('free text', () => {
  test('does not narrow a column below a cell that is not free text', () => {
    const mixed: Column<string[]>[] = [
      { title: 'TARGET', cell: ([name = '', id = '']) => (name === '' ? id : freeText(name)) },
      { title: 'WHO', cell: () => freeText('x'.repeat(40)) },
    ];
    const targets = [
      ['y'.repeat(40), ''],
      ['', 'z'.repeat(30)],
    ];
    const [, first, second] = print(targets, { columns: 50, of: mixed }).split('\n');
    expect([first, second]).toEqual([
      `${'y'.repeat(29)}…  ${'x'.repeat(17)}…`,
      `${'z'.repeat(30)}  ${'x'.repeat(17)}…`,
    ]);
  });
});

test('a table in a file or a pipe has an unlimited width', () => {
  expect(print([['one', 'active', 'x'.repeat(300)]])).toContain(`one   active  ${'x'.repeat(300)}\n`);
});

describe('progress', () => {
  const on = sharedHubctl();

  /** Runs hubctl with a server that pauses in the middle of its response until standard error contains the text. */
  async function runUntil(text: RegExp, argv: string[], options: { columns?: number; env?: Record<string, string> }) {
    const output = Promise.withResolvers<void>();
    let stderr = '';
    const slow = (body: ReadableStream<Uint8Array>) => {
      const reader = body.getReader();
      let chunks = 0;
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          if (chunks === 1) await output.promise;
          chunks += 1;
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        },
      });
    };
    return await on.hubctl(argv, {
      ...options,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        const isLong = /\/(backups|export)$/.test(url) && response.body !== null;
        return isLong && response.body ? new Response(slow(response.body), response) : response;
      },
      onWrite: (name, written) => {
        if (name !== 'stderr') return;
        stderr += written;
        if (text.test(stderr)) output.resolve();
      },
    });
  }

  test('a long backup shows how much has arrived, in a line that is gone at the end', async () => {
    using folder = temporaryFolder();
    const received = /Receiving the backup: [\d.]+ KiB of [\d.]+ [KM]iB \(\d+%\) …/;
    const ran = await runUntil(received, ['backup', folder.file('hub.db')], { columns: 80 });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Backed up/) });
    expect(ran.stderr).toMatch(received);
    expect(ran.stderr).toContain('\r\u001b[2KVerifying the backup …');
    expect(ran.stderr).toEndWith('\r\u001b[2K');
  });

  test('nothing is drawn if standard error is not a terminal, or cannot redraw a line', async () => {
    using folder = temporaryFolder();
    const timer = spyOn(globalThis, 'setInterval');
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
const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();
const DAY = 86_400;

test.each([
  ['90s', 90],
  ['15m', 15 * 60],
  ['12h', 12 * 3600],
  ['3d', 3 * DAY],
  ['2w', 14 * DAY],
  ['0s', 0],
])('parseDuration accepts %s, with and without a plus sign', (text, seconds) => {
  expect(parseDuration(text)).toBe(seconds);
  expect(parseDuration(`+${text}`)).toBe(seconds);
});

test.each(['90', '5y', '5D', '1.5d', '-1d', '++1d', '', 'd', ' 1d', '1d ', '1d1h', '9999999999d'])(
  'a duration cannot be %j',
  (text) => {
    expect(parseDuration(text)).toBeNull();
    expect(() => readDuration('--wait-max', text)).toThrow(`Invalid --wait-max "${text}".`);
    expect(() => readPast('--since', text, NOW)).toThrow(`Invalid --since "${text}".`);
  },
);

test('readPast accepts a duration before now and an instant', () => {
  expect(readPast('--since', '90s', NOW)).toBe('2026-03-01T09:28:30.000Z');
  expect(readPast('--since', '+2w', NOW)).toBe('2026-02-15T09:30:00.000Z');
  expect(readPast('--since', '999999w', NOW)).toBe('1970-01-01T00:00:00.000Z');
  expect(readPast('--since', '2026-02-28t10:30+01:00', NOW)).toBe('2026-02-28t10:30+01:00');
});

test('showDistance rounds down, except for a time that was just set', () => {
  expect(showDistance(at(90 * DAY - 1), NOW)).toBe('in 90 days');
  expect(showDistance(at(90 * DAY - 60), NOW)).toBe('in 89 days');
  expect(showDistance(at(4.9 * DAY), NOW)).toBe('in 4 days');
  expect(showDistance(at(47 * 3600), NOW)).toBe('in 47 hours');
  expect(showDistance(at(3600), NOW)).toBe('in 1 hour');
  expect(showDistance(at(90), NOW)).toBe('in 1 minute');
  expect(showDistance(at(20), NOW)).toBe('in less than a minute');
  expect(showDistance(at(-20), NOW)).toBe('just now');
  expect(showDistance(at(-7200), NOW)).toBe('2 hours ago');
  expect(showDistance(at(-3 * DAY), NOW)).toBe('3 days ago');
});

test('showSpan and showTime are short, and showTime includes the time zone', () => {
  expect(showSpan(1)).toBe('1 second');
  expect(showSpan(59)).toBe('59 seconds');
  expect(showTime('2026-03-01T09:30:12.345Z')).toBe('2026-03-01 09:30 UTC');
});
