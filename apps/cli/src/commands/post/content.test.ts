import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { formToken, KEY_PREFIX } from '@hub/contract/key-token';
import { errorOf, type RunOptions, runHubctl } from '../../testing/run-hubctl.ts';
import { startScriptedServer } from '../../testing/scripted-server.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const KEY = formToken(KEY_PREFIX, 'k7'.repeat(17));
const CREATED = { id: 'msg_1', conversationId: 'cnv_1', bucketId: 'bkt_1', createdAt: '2026-03-01T09:30:00.000Z' };

let server: ReturnType<typeof startScriptedServer>;
beforeAll(() => {
  server = startScriptedServer(() => Response.json({ success: true, data: CREATED }, { status: 201 }));
});
afterAll(() => server[Symbol.asyncDispose]());

const hubctl = (argv: string[], options: RunOptions = {}) =>
  runHubctl(argv, { ...options, env: { HUB_URL: server.url, HUB_API_KEY: KEY, ...options.env } });

/** What arrived at the server; undefined if nothing did. */
async function posted(argv: string[], options: RunOptions = {}) {
  const before = server.requests.length;
  const ran = await hubctl(['post', ...argv], options);
  const request = server.requests[before];
  if (ran.code !== 0 || !request) throw new Error(ran.stdout + ran.stderr);
  expect(request.headers.get('authorization')).toBe(`Bearer ${KEY}`);
  return { path: request.path, body: JSON.parse(request.body) as unknown };
}

/** A command that must end in this exit code without anything sent. */
async function rejected(argv: string[], options: RunOptions = {}) {
  const before = server.requests.length;
  const ran = await hubctl(['post', ...argv, '--json'], options);
  expect(server.requests).toHaveLength(before);
  expect(errorOf(ran).exitCode).toBe(ran.code);
  return errorOf(ran);
}

describe('the text of a message', () => {
  const message = (text: string) => ({ path: '/api/public/v1/messages', body: { text } });

  test('is the argument, and standard input is then left alone', async () => {
    expect(await posted(['Hello'])).toEqual(message('Hello'));
    expect(await posted(['message', 'Hello'])).toEqual(message('Hello'));
  });

  test('is a word after --, even if it is the name of a kind or looks like an option', async () => {
    expect(await posted(['--', 'note'])).toEqual(message('note'));
    expect(await posted(['--', '--help'])).toEqual(message('--help'));
  });

  test('is the file, as it is but for a byte order mark and the newline at its end', async () => {
    using folder = temporaryFolder();
    await Bun.write(folder.file('text.md'), '\ufeff# Zürich\n\n- a\n');
    expect(await posted(['--file', folder.file('text.md')])).toEqual(message('# Zürich\n\n- a'));
  });

  test('is what is piped in, with no argument or with -', async () => {
    expect(await posted([], { stdin: 'Grüße\r\n' })).toEqual(message('Grüße'));
    expect(await posted(['-'], { stdin: 'x\n' })).toEqual(message('x'));
    expect(await posted(['--file', '-'], { stdin: 'x' })).toEqual(message('x'));
  });

  test('is what the person types, if nothing else is there', async () => {
    expect(await posted([], { responses: ['typed'] })).toEqual(message('typed'));
  });

  test('given twice is wrong usage', async () => {
    expect(await rejected(['x', '--file', 'y'])).toMatchObject({ code: 'usage', exitCode: 2 });
  });

  test('of several words without quotes is wrong usage, with the remedy', async () => {
    expect(await rejected(['deploy', 'finished'])).toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining('quotes'),
    });
  });

  test('that is empty or only white space is wrong usage as an argument, and a failure on standard input', async () => {
    expect(await rejected([''])).toMatchObject({ exitCode: 2 });
    expect(await rejected([], { stdin: ' \n\n' })).toMatchObject({
      exitCode: 1,
      message: expect.stringContaining('empty'),
    });
  });

  test('that is not UTF-8 is refused, and the message says how to convert it', async () => {
    const latin1 = new Uint8Array([0x5a, 0xfc, 0x72, 0x69]);
    expect(await rejected([], { stdin: latin1 })).toMatchObject({
      exitCode: 1,
      hint: expect.stringContaining('iconv'),
    });
    const utf16 = new Uint8Array([0xff, 0xfe, 0x61, 0x00]);
    expect((await rejected([], { stdin: utf16 })).message).toContain('UTF-16');
  });

  test('that is larger than any post is refused without reading it to the end', async () => {
    expect(await rejected([], { stdin: 'x'.repeat(1024 * 1024 + 1) })).toMatchObject({
      code: 'too_large',
      exitCode: 1,
    });
  });

  test('from a file that cannot be read is a failure that names the file', async () => {
    expect((await rejected(['--file', '/nonexistent/text'])).message).toBe(
      '/nonexistent/text cannot be read: there is no such file.',
    );
    expect((await rejected(['--file', '/tmp'])).message).toContain('it is a folder');
  });

  test('carries the marker of the run', async () => {
    expect(await posted(['x', '--run-marker', 'build-7'])).toEqual(message('x\n\n`run:build-7`'));
    expect(await rejected(['x', '--run-marker', 'a b'])).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('--run-marker must begin'),
    });
  });
});

describe('the blocks of a message', () => {
  const blocks = [{ type: 'paragraph', data: { text: 'x' } }];

  test('are a JSON array, or what save() of the editor returned', async () => {
    using folder = temporaryFolder();
    await Bun.write(folder.file('array.json'), JSON.stringify(blocks));
    await Bun.write(folder.file('saved.json'), JSON.stringify({ time: 1, version: '2.31.0', blocks }));
    expect((await posted(['--blocks', folder.file('array.json')])).body).toEqual({ blocks });
    expect((await posted(['--blocks', folder.file('saved.json')])).body).toEqual({ blocks });
    expect((await posted(['--blocks', '-'], { stdin: JSON.stringify(blocks) })).body).toEqual({ blocks });
  });

  test('beside a text are wrong usage, for the text would not be shown', async () => {
    for (const text of [['text'], ['-'], ['--file', 'text.md']]) {
      expect(await rejected(['--blocks', '-', ...text], { stdin: JSON.stringify(blocks) })).toMatchObject({
        exitCode: 2,
        message: expect.stringContaining('not both'),
      });
    }
  });

  test('of another form are refused without asking the server', async () => {
    for (const stdin of ['{', '{}', '"x"', 'null', '{"blocks": 1}']) {
      expect(await rejected(['--blocks', '-'], { stdin })).toMatchObject({ code: 'invalid', exitCode: 1 });
    }
  });
});

describe('a note', () => {
  test('has its content from the argument, --content, a file or standard input, and a title', async () => {
    const note = { path: '/api/public/v1/notes', body: { content: 'c', title: 't' } };
    expect(await posted(['note', 'c', '--title', 't'])).toEqual(note);
    expect(await posted(['note', '--content', 'c', '--title', 't'])).toEqual(note);
    expect(await posted(['note', '--title', 't'], { stdin: 'c\n' })).toEqual(note);
    expect((await posted(['note', 'c'])).body).toEqual({ content: 'c' });
  });

  test('with two contents is wrong usage', async () => {
    expect(await rejected(['note', 'c', '--content', 'd'])).toMatchObject({ exitCode: 2 });
  });
});

describe('a to-do', () => {
  test('has its title from the argument or standard input, and content, due date and priority from flags', async () => {
    expect(await posted(['todo', 't', '--content', 'c', '--due', '2027-01-31T09:00Z', '--priority', 'high'])).toEqual({
      path: '/api/public/v1/todos',
      body: { title: 't', content: 'c', dueDate: '2027-01-31T09:00Z', priority: 'HIGH' },
    });
    expect((await posted(['todo'], { stdin: 't\n' })).body).toEqual({ title: 't' });
    expect((await posted(['todo', 't', '--file', '-'], { stdin: 'c\n' })).body).toEqual({ title: 't', content: 'c' });
  });

  test('with two contents, another priority, or title and content both from standard input is wrong usage', async () => {
    expect(await rejected(['todo', 't', '--content', 'c', '--file', 'f'])).toMatchObject({ exitCode: 2 });
    expect(await rejected(['todo', 't', '--priority', 'asap'])).toMatchObject({
      exitCode: 2,
      hint: expect.stringContaining('urgent'),
    });
    expect(await rejected(['todo', '--file', '-'], { stdin: 'x' })).toMatchObject({ exitCode: 2 });
  });
});
