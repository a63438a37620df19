import { afterAll, describe, expect, test } from 'bun:test';
import { buildToken, KEY_PREFIX } from '@hub/contract/key-token';
import { startScriptedServer } from '@hub/testkit/scripted-server';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { errorOf, type RunOptions, runHubctl } from '../../../test/run-hubctl.ts';
import { fitText } from './long-text.ts';
import { readDue } from './post.ts';

const KEY = buildToken(KEY_PREFIX, 'k7'.repeat(17));
const server = startScriptedServer();
const folder = temporaryFolder();
const write = async (name: string, text: string): Promise<string> => {
  await Bun.write(folder.file(name), text);
  return folder.file(name);
};
afterAll(() => {
  folder[Symbol.dispose]();
  return server.stop();
});

const hubctl = (argv: string[], options: RunOptions = {}) =>
  runHubctl(argv, { ...options, env: { HUB_URL: server.url, HUB_API_KEY: KEY, ...options.env } });

/** Runs the command, and returns the request that arrived at the server. */
async function posted(argv: string[], options: RunOptions = {}) {
  const before = server.requests.length;
  const ran = await hubctl(['post', ...argv], options);
  const request = server.requests[before];
  if (ran.code !== 0 || !request) throw new Error(ran.stdout + ran.stderr);
  expect(request.headers.get('authorization')).toBe(`Bearer ${KEY}`);
  return { path: request.path, body: JSON.parse(request.body) };
}

/** Runs a command that must fail without sending anything, and returns its error. */
async function rejected(argv: string[], options: RunOptions = {}) {
  const before = server.requests.length;
  const ran = await hubctl(['post', ...argv, '--json'], options);
  expect(server.requests).toHaveLength(before);
  expect(errorOf(ran).exitCode).toBe(ran.code);
  return errorOf(ran);
}

describe('the text of a message', () => {
  const message = (text: string) => ({ path: '/api/public/v1/messages', body: { text } });

  test.each<[source: string, argv: string[], options: RunOptions, text: string]>([
    ['the argument; standard input is not read', ['Hello'], {}, 'Hello'],
    ['the argument of the subcommand', ['message', 'Hello'], {}, 'Hello'],
    ['the argument after --, even the name of a kind', ['--', 'note'], {}, 'note'],
    ['the argument after --, even an option', ['--', '--help'], {}, '--help'],
    ['standard input without an argument', [], { stdin: 'Grüße\r\n' }, 'Grüße'],
    ['standard input for -', ['-'], { stdin: 'x\n' }, 'x'],
    ['standard input for --file -', ['--file', '-'], { stdin: 'x' }, 'x'],
    ['a prompt at a terminal', [], { responses: ['typed'] }, 'typed'],
  ])('comes from %s', async (_, argv, options, text) => {
    expect(await posted(argv, options)).toEqual(message(text));
  });

  test('is the content of a file without its byte order mark and final newline', async () => {
    const file = await write('text.md', '\ufeff# Zürich\n\n- a\n');
    expect(await posted(['--file', file])).toEqual(message('# Zürich\n\n- a'));
  });

  test('must be UTF-8 and not blank', async () => {
    const rejection = async (stdin: RunOptions['stdin'] = '') => Object.values(await rejected([], { stdin })).join();
    expect(await rejection('\u200b\u3164')).toContain('empty');
    expect(await rejection(new Uint8Array([0x5a, 0xfc, 0x72, 0x69]))).toContain('iconv');
    expect(await rejection(new Uint8Array([0xff, 0xfe, 0x61, 0x00]))).toContain('UTF-16');
  });

  test('ends with the run marker', async () => {
    expect(await posted(['x', '--run-marker', 'build-7'])).toEqual(message('x\n\n`run:build-7`'));
    const error = await rejected(['x', '--run-marker', 'a b']);
    expect([error.exitCode, error.message]).toEqual([2, expect.stringContaining('--run-marker must start')]);
  });
});

test('a key in standard input is not posted, but shortened to its prefix, with a warning', async () => {
  const { code, stderr } = await hubctl(['post'], { stdin: `HUB_API_KEY=${KEY}\nPATH=/bin\n` });
  expect([code, stderr]).toEqual([0, expect.stringContaining('A key or token in the text is not posted.')]);
  expect(JSON.parse(server.requests.at(-1)?.body ?? '').text).toBe('HUB_API_KEY=hub_live_…\nPATH=/bin');
});

describe('long text', () => {
  test('is read even if it is larger than a post, and truncated', async () => {
    const stdin = 'x\n'.repeat(1024 * 1024);
    const { text } = (await posted(['--truncate', 'head', '--code', 'text'], { stdin })).body;
    expect(text).toMatch(/^\*Truncated.*of 2,097,151 characters\*\n\n```text\nx\n[x\n]*```$/);
    const { content } = (await posted(['todo', 't', '--file', '-', '--truncate', 'tail'], { stdin })).body;
    expect(content).toStartWith('*Truncated: the last ');
  });

  test('over 1 MiB causes an error that says what to do', async () => {
    const file = await write('build.log', 'x'.repeat(1_090_000));
    expect(await rejected(['--file', file])).toMatchObject({
      ...{ code: 'too_large', exitCode: 1, message: expect.stringContaining('1048576 bytes') },
      hint: expect.stringContaining('--attach FILE'),
    });
  });
});

const note = { path: '/api/public/v1/notes', body: { content: 'c', title: 't' } };
const todo = (fields: object = {}) => ({ path: '/api/public/v1/todos', body: { title: 't', ...fields } });
const due = { dueDate: '2027-01-31T09:00Z', priority: 'HIGH' };

test.each<[line: string, options: RunOptions, expected: typeof note | ReturnType<typeof todo>]>([
  ['note c --title t', {}, note],
  ['note --content c --title t', {}, note],
  ['note --title t', { stdin: 'c\n' }, note],
  ['todo t --content c --due 2027-01-31T09:00Z --priority high', {}, todo({ content: 'c', ...due })],
  ['todo --title t --content c', {}, todo({ content: 'c' })],
  ['todo', { stdin: 't\n' }, todo()],
  ['todo t --file -', { stdin: 'c\n' }, todo({ content: 'c' })],
])('the fields of a note or to-do come from arguments, flags or standard input: %s', async (line, options, body) => {
  expect(await posted(line.split(' '), options)).toEqual(body);
});

test.each<[line: string, message: string]>([
  ['x --attach nope.txt', 'Cannot read nope.txt: no such file'],
  [`x --attach ${import.meta.dir}`, 'is not a file'],
  ['x --attach - --attach -', 'Standard input can be read once only'],
  ['- --attach -', 'Standard input can be read once only'],
  ['x --file nope.txt', 'To attach a file, use --attach FILE'],
  ['x --attach-name a.txt', '--attach-name names the file of --attach -'],
  [`x ${'--attach a '.repeat(11).trim()}`, 'There are 11 files to attach; at most 10'],
])('a file that cannot be attached causes an error: %s', async (line, message) => {
  expect(Object.values(await rejected(line.split(' '), { stdin: 'x' })).join()).toContain(message);
});

test('duplicate content, an unknown priority and two fields from standard input cause exit code 2', async () => {
  for (const [line, text] of [
    ['todo t --content c --file f', '--file'],
    ['todo t --priority asap', 'urgent'],
    ['todo --file -', 'standard input'],
  ] as const) {
    const error = await rejected(line.split(' '), { stdin: 'x' });
    expect([error.exitCode, Object.values(error).join()]).toEqual([2, expect.stringContaining(text)]);
  }
});

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n');
const sizeOf = (text: string) => [...text].length;

test('--code uses a longer fence than any in the text', () => {
  expect(fitText('a\n````\nb', 100, { code: 'sh' })).toBe('`````sh\na\n````\nb\n`````');
});

describe('--truncate', () => {
  test.each([
    ['head', /^\*Truncated: the first \d{3} of 4,389 characters\*\n\nline 0\n[\s\S]*\nline \d+$/],
    ['tail', /^\*Truncated: the last \d{3} of 4,389 characters\*\n\nline \d+\n[\s\S]*\nline 499$/],
  ] as const)('keeps the %s, with the sizes', (truncate, expected) => {
    const text = fitText(lines(500), 400, { truncate });
    expect(text).toMatch(expected);
    expect(sizeOf(text)).toBeWithin(300, 401);
    const code = fitText(lines(500), 400, { truncate, code: 'sh' });
    expect(code).toMatch(/^\*Truncated.*\n\n```sh\nline \d+\n[\s\S]*\nline \d+\n```$/);
  });

  test.each([
    ['a single line', 'x'.repeat(5_000), 'x'.repeat(600)],
    ['a long line before the last one', `a\n${'y'.repeat(5_000)}\nERROR`, `${'y'.repeat(500)}\nERROR`],
    ['characters of two code units', '𝒳'.repeat(5_000), '𝒳'.repeat(600)],
  ])('keeps the end of %s', (_, text, end) => {
    const runMarker = 'build-1'.repeat(8);
    const fitted = fitText(text, 1_000, { truncate: 'tail', runMarker });
    expect(fitted).toEndWith(end);
    expect(sizeOf(`${fitted}\n\n\`run:${runMarker}\``)).toBeLessThanOrEqual(1_000);
  });
});

test('--due takes a day in the local time zone, a time from now, or an instant', () => {
  const NOW = Date.parse('2026-11-26T14:30:00Z');
  const zone = process.env.TZ;
  process.env.TZ = 'Europe/Zurich';
  const given = ['2027-07-31', '+3d', '90s', '2020-01-31T09:00Z'].map((text) => readDue(text, NOW));
  // The zone may not change any more in a process that has already used another one.
  const lastMinute = new Date(2027, 6, 31, 23, 59).toISOString();
  process.env.TZ = zone ?? 'Etc/UTC';
  expect(given).toEqual([lastMinute, '2026-11-29T14:30:00.000Z', '2026-11-26T14:31:30.000Z', '2020-01-31T09:00Z']);
  for (const text of ['', 'soon', '+3', '1.5h', '99999999w', '17:00', '2027-02-31', '2027-1-1'])
    expect(() => readDue(text, NOW)).toThrow('Invalid --due');
});
