import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { buildToken, KEY_PREFIX } from '@hub/contract/key-token';
import { temporaryFolder } from '@hub/testkit/cli/files';
import { errorOf, type RunOptions, runHubctl } from '@hub/testkit/cli/run-hubctl';
import { errorResponse, startScriptedServer } from '@hub/testkit/scripted-server';
import { readDue } from './due.ts';
import { fitText } from './long-text.ts';

describe('content', () => {
  const KEY = buildToken(KEY_PREFIX, 'k7'.repeat(17));
  const CREATED = { id: 'msg_1', conversationId: 'cnv_1', bucketId: 'bkt_1', createdAt: '2026-03-01T09:30:00.000Z' };

  let server: ReturnType<typeof startScriptedServer>;
  beforeAll(() => {
    server = startScriptedServer(() => Response.json({ success: true, data: CREATED }, { status: 201 }));
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const hubctl = (argv: string[], options: RunOptions = {}) =>
    runHubctl(argv, { ...options, env: { HUB_URL: server.url, HUB_API_KEY: KEY, ...options.env } });

  /** Runs the command, and returns the request that arrived at the server. */
  async function posted(argv: string[], options: RunOptions = {}) {
    const before = server.requests.length;
    const ran = await hubctl(['post', ...argv], options);
    const request = server.requests[before];
    if (ran.code !== 0 || !request) throw new Error(ran.stdout + ran.stderr);
    expect(request.headers.get('authorization')).toBe(`Bearer ${KEY}`);
    return { path: request.path, body: JSON.parse(request.body) as unknown };
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
      using folder = temporaryFolder();
      await Bun.write(folder.file('text.md'), '\ufeff# Zürich\n\n- a\n');
      expect(await posted(['--file', folder.file('text.md')])).toEqual(message('# Zürich\n\n- a'));
    });

    test('causes exit code 2 for an empty argument, and exit code 1 for white space on standard input', async () => {
      expect(await rejected([''])).toMatchObject({ exitCode: 2 });
      for (const stdin of [' \n\n', '\u200b\u3164']) {
        expect(await rejected([], { stdin })).toMatchObject({ exitCode: 1, message: expect.stringContaining('empty') });
      }
    });

    test('must be UTF-8; otherwise, the exit code is 1 and a hint explains how to convert it', async () => {
      const latin1 = new Uint8Array([0x5a, 0xfc, 0x72, 0x69]);
      expect(await rejected([], { stdin: latin1 })).toMatchObject({
        exitCode: 1,
        hint: expect.stringContaining('iconv'),
      });
      const utf16 = new Uint8Array([0xff, 0xfe, 0x61, 0x00]);
      expect((await rejected([], { stdin: utf16 })).message).toContain('UTF-16');
    });

    test('ends with the run marker', async () => {
      expect(await posted(['x', '--run-marker', 'build-7'])).toEqual(message('x\n\n`run:build-7`'));
      expect(await rejected(['x', '--run-marker', 'a b'])).toMatchObject({
        exitCode: 2,
        message: expect.stringContaining('--run-marker must start'),
      });
    });
  });

  describe('long text', () => {
    test('is posted in parts that together are the text, with one line of output for each', async () => {
      using folder = temporaryFolder();
      const text = Array.from({ length: 9_000 }, (_, index) => `line ${index}`).join('\n');
      await Bun.write(folder.file('log'), text);
      const before = server.requests.length;
      const ran = await hubctl(['post', '--split', '--file', folder.file('log')]);
      const bodies = server.requests.slice(before).map(({ body }) => JSON.parse(body).text as string);
      expect(ran.stdout.trim().split('\n')).toHaveLength(3);
      expect(bodies.map((part) => part.slice(0, 5))).toEqual(['(1/3)', '(2/3)', '(3/3)']);
      expect(bodies.map((part) => part.replace(/^.*\n\n/, '')).join('\n')).toBe(text);
      const json = await hubctl(['post', 'short', '--split', '--json']);
      expect(json.json()).toEqual({ items: [{ ...CREATED, url: `${server.url}/p/msg_1` }] });
    });

    test('is read even if it is larger than a post, and truncated', async () => {
      const stdin = 'x\n'.repeat(1024 * 1024);
      const { text } = (await posted(['--truncate', '--code', 'text'], { stdin })).body as { text: string };
      expect(text).toStartWith('```text\nx\n');
      expect(text).toEndWith('of 2,097,151 characters*');
      const { content } = (await posted(['todo', 't', '--file', '-', '--truncate'], { stdin })).body as {
        content: string;
      };
      expect(content).toContain('*Truncated: ');
      const log = (await posted(['--truncate', 'tail'], { stdin: `${stdin}error` })).body as { text: string };
      expect(log.text).toMatch(/^\*Truncated: the last [\d,]+ of 2,097,157 characters\*\n\nx\n[x\n]*\nerror$/);
    });

    test.each([
      ['message', 'text of a message has at most 40,000', '--split to post it in parts, '],
      ['note', 'content of a note has at most 200,000', '--split to post it in parts, '],
      ['todo t', 'content of a to-do has at most 40,000', ''],
    ])('over 1 MiB causes an error with the limit and the options to use: %s', async (words, limit, parts) => {
      using folder = temporaryFolder();
      const file = folder.file('build.log');
      await Bun.write(file, 'x'.repeat(1_090_000));
      const before = server.requests.length;
      const error = errorOf(await hubctl(['post', ...words.split(' '), '--file', file, '--json']));
      expect(error).toMatchObject({ code: 'too_large', exitCode: 1 });
      expect(error.message).toBe(`${file} is larger than 1 MiB; the ${limit} characters.`);
      expect(error.hint).toBe(`Add ${parts}--truncate to post the beginning, or --truncate=tail to post the end.`);
      expect(server.requests).toHaveLength(before);
    });

    test('stops at the first part that fails, and says which, and what was posted before it', async () => {
      await using failing = startScriptedServer(({ url }) =>
        failing.requests.length < 2
          ? Response.json({ success: true, data: CREATED }, { status: 201 })
          : errorResponse(401, `No. ${url}`),
      );
      const stdin = 'x\n'.repeat(50_000);
      const ran = await hubctl(['post', '--split', '--json'], { stdin, env: { HUB_URL: failing.url } });
      expect(errorOf(ran)).toMatchObject({ exitCode: 4, message: expect.stringMatching(/^Part 2 of 3: /) });
      expect(errorOf(ran).posted).toEqual([{ ...CREATED, url: `${failing.url}/p/msg_1` }]);
      expect(failing.requests).toHaveLength(2);
    });
  });

  describe('the blocks of a message', () => {
    const blocks = [{ type: 'paragraph', data: { text: 'x' } }];

    test('are a JSON array, or the result of save() in Editor.js', async () => {
      using folder = temporaryFolder();
      await Bun.write(folder.file('array.json'), JSON.stringify(blocks));
      await Bun.write(folder.file('saved.json'), JSON.stringify({ time: 1, version: '2.31.0', blocks }));
      expect((await posted(['--blocks', folder.file('array.json')])).body).toEqual({ blocks });
      expect((await posted(['--blocks', folder.file('saved.json')])).body).toEqual({ blocks });
      expect((await posted(['--blocks', '-'], { stdin: JSON.stringify(blocks) })).body).toEqual({ blocks });
    });

    test('cause exit code 2 if the message also has text, which would not be shown', async () => {
      for (const text of [['text'], ['-'], ['--file', 'text.md']]) {
        expect(await rejected(['--blocks', '-', ...text], { stdin: JSON.stringify(blocks) })).toMatchObject({
          exitCode: 2,
          message: expect.stringContaining('not both'),
        });
      }
    });
  });

  test.each<[argv: string[], options: RunOptions]>([
    [['note', 'c', '--title', 't'], {}],
    [['note', '--content', 'c', '--title', 't'], {}],
    [['note', '--title', 't'], { stdin: 'c\n' }],
  ])(
    'a note takes its content from the argument, --content or standard input, and its title from --title: %p',
    async (argv, options) => {
      expect(await posted(argv, options)).toEqual({ path: '/api/public/v1/notes', body: { content: 'c', title: 't' } });
    },
  );

  describe('a to-do', () => {
    test('takes its title from the argument or standard input, and the rest from flags', async () => {
      expect(await posted(['todo', 't', '--content', 'c', '--due', '2027-01-31T09:00Z', '--priority', 'high'])).toEqual(
        {
          path: '/api/public/v1/todos',
          body: { title: 't', content: 'c', dueDate: '2027-01-31T09:00Z', priority: 'HIGH' },
        },
      );
      const friendly = await hubctl(['post', 'todo', 't', '--due', 'tomorrow 17:00'], {
        now: Date.UTC(2027, 0, 1, 12),
      });
      expect(JSON.parse(server.requests.at(-1)?.body ?? '')).toEqual({
        title: 't',
        dueDate: '2027-01-02T17:00:00.000Z',
      });
      expect(friendly.stderr).toBe('Due Sat 2027-01-02 17:00 +00:00, in 29 hours (2027-01-02T17:00:00.000Z).\n');
      expect((await posted(['todo'], { stdin: 't\n' })).body).toEqual({ title: 't' });
      expect((await posted(['todo', 't', '--file', '-'], { stdin: 'c\n' })).body).toEqual({ title: 't', content: 'c' });
    });

    test('causes exit code 2 for duplicate content, an unknown priority, or two fields from standard input', async () => {
      expect(await rejected(['todo', 't', '--content', 'c', '--file', 'f'])).toMatchObject({ exitCode: 2 });
      expect(await rejected(['todo', 't', '--priority', 'asap'])).toMatchObject({
        exitCode: 2,
        hint: expect.stringContaining('urgent'),
      });
      expect(await rejected(['todo', '--file', '-'], { stdin: 'x' })).toMatchObject({ exitCode: 2 });
    });
  });
});

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n');
const sizeOf = (text: string) => [...text].length;
const withoutNumber = (part: string) => part.replace(/^\(\d+\/\d+\)\n\n/, '');

describe('--split', () => {
  test('splits at line ends, numbers the parts and keeps every line', () => {
    const text = lines(100);
    const parts = fitText(text, 300, { split: true });
    expect(parts[0]).toStartWith(`(1/${parts.length})\n\nline 0\n`);
    for (const part of parts) expect(sizeOf(part)).toBeLessThanOrEqual(300);
    expect(parts.map(withoutNumber).join('\n')).toBe(text);
  });

  test('leaves room for the run marker, and counts code points', () => {
    const text = '𝒳'.repeat(600);
    const runMarker = 'build-1'.repeat(8);
    const parts = fitText(text, 300, { split: true, runMarker });
    for (const part of parts) expect(sizeOf(`${part}\n\n\`run:${runMarker}\``)).toBeLessThanOrEqual(300);
    expect(parts.map(withoutNumber).join('')).toBe(text);
  });

  test('closes a code block at the end of a part, and opens it again in the next', () => {
    const text = `Before\n\`\`\`js\n${lines(60)}\n\`\`\`\nAfter\n${lines(60)}`;
    const parts = fitText(text, 400, { split: true });
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) {
      expect((part.match(/^```/gm) ?? []).length % 2).toBe(0);
      expect(sizeOf(part)).toBeLessThanOrEqual(400);
    }
    expect(withoutNumber(parts[1] ?? '')).toStartWith('```js\nline ');
    expect(withoutNumber(parts.at(-1) ?? '')).not.toContain('```');
  });

  test('rejects text that needs more posts than the rate limit allows', () => {
    expect(() => fitText('x'.repeat(30_000), 300, { split: true })).toThrow('at most 60 are possible');
  });
});

describe('--truncate', () => {
  test.each([
    ['head', /\nline \d+\n\n\*Truncated: the first \d{3} of 4,389 characters\*$/],
    ['tail', /^\*Truncated: the last \d{3} of 4,389 characters\*\n\nline \d+\n[\s\S]*\nline 499$/],
  ] as const)('keeps the %s, with the sizes', (truncate, expected) => {
    const [only = '', ...others] = fitText(lines(500), 400, { truncate });
    expect(others).toEqual([]);
    expect(only).toMatch(expected);
    expect(sizeOf(only)).toBeWithin(300, 401);
  });

  test.each([
    ['a single line', 'x'.repeat(5_000), 'x'.repeat(600)],
    [
      'a long line before the last one',
      `short\n${'y'.repeat(5_000)}\nERROR the end`,
      `${'y'.repeat(500)}\nERROR the end`,
    ],
  ])('keeps the end of %s with =tail', (_, text, end) => {
    const [only = ''] = fitText(text, 1_000, { truncate: 'tail' });
    expect(only).toEndWith(end);
    expect(sizeOf(only)).toBeLessThanOrEqual(1_000);
  });

  test.each([
    ['```js', '```', 300],
    ['~~~~', '~~~~', 300],
    // The opening line itself takes room from the text.
    [`\`\`\`${'j'.repeat(60)}`, '```', 400],
  ])('opens the code block %s again if the end begins within it', (opener, closer, limit) => {
    const [only = ''] = fitText(`Before\n${opener}\n${lines(500)}\n${closer}`, limit, { truncate: 'tail' });
    expect(only).toMatch(new RegExp(`^\\*Truncated[^\\n]*\\n\\n${opener}\\nline \\d+\\n[^]*\\nline 499\\n${closer}$`));
    expect(sizeOf(only)).toBeLessThanOrEqual(limit);
    const [after = ''] = fitText(`${opener}\nx\n${closer}\n${lines(500)}`, limit, { truncate: 'tail' });
    expect(after).not.toContain(opener);
    const [code = ''] = fitText(lines(500), limit, { truncate: 'tail', code: 'sh' });
    expect(code).toMatch(/^\*Truncated.*\n\n```sh\nline \d+\n[\s\S]*\nline 499\n```$/);
  });
});

describe('due', () => {
  /** Thursday. */
  const NOW = Date.parse('2026-11-26T14:30:00Z');

  let zone: string | undefined;
  beforeAll(() => {
    zone = process.env.TZ;
    process.env.TZ = 'Europe/Zurich';
  });
  afterAll(() => {
    process.env.TZ = zone ?? 'Etc/UTC';
  });

  describe('--due', () => {
    test.each([
      ['today', '2026-11-26T22:59:00.000Z'],
      ['tomorrow', '2026-11-27T22:59:00.000Z'],
      ['Tomorrow 17:00', '2026-11-27T16:00:00.000Z'],
      ['thursday', '2026-12-03T22:59:00.000Z'],
      ['mon 9:05', '2026-11-30T08:05:00.000Z'],
      ['+3d', '2026-11-29T22:59:00.000Z'],
      ['+1w 08:00', '2026-12-03T07:00:00.000Z'],
      ['2W', '2026-12-10T22:59:00.000Z'],
      ['90s', '2026-11-26T14:31:30.000Z'],
      ['+90m', '2026-11-26T16:00:00.000Z'],
      ['2027-07-31', '2027-07-31T21:59:00.000Z'],
      ['2027-01-31T09:00', '2027-01-31T08:00:00.000Z'],
      // The clocks go forward in the night.
      ['2027-03-28 09:00', '2027-03-28T07:00:00.000Z'],
    ])('%s is %s in Zurich', (text, iso) => {
      expect(readDue(text, NOW).iso).toBe(iso);
    });

    test('shows the time zone, the distance and the instant, unless the text has an offset', () => {
      expect(readDue('fri 17:00', NOW).note).toBe(
        'Due Fri 2026-11-27 17:00 +01:00, in 25 hours (2026-11-27T16:00:00.000Z).',
      );
      expect(readDue('2020-01-31T09:00Z', NOW)).toEqual({ iso: '2020-01-31T09:00Z', note: null });
    });

    test.each([
      '',
      ...'soon to day +3 +d 1.5h 99999999w 17:00 2027-02-31 2027-1-1'.split(' '),
      'today 24:00',
      'fri 12:60',
    ])('rejects "%s"', (text) => {
      expect(() => readDue(text, NOW)).toThrow('Invalid --due');
    });

    test('rejects a day or a time that is over', () => {
      expect(() => readDue('today 09:00', NOW)).toThrow('is in the past: Thu 2026-11-26 09:00 +01:00.');
      expect(() => readDue('2026-11-25', NOW)).toThrow('is in the past');
    });
  });
});
