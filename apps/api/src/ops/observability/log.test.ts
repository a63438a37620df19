import { describe, expect, test } from 'bun:test';
import { buildToken, KEY_PREFIX, LINK_PREFIX, PERSONAL_TOKEN_PREFIX, SESSION_PREFIX } from '@hub/contract';
import { systemClock } from '../../platform/adapters/system-clock.ts';
import { createLog, type ProcessLog } from './log.ts';

const key = buildToken(KEY_PREFIX, 'Ab3'.repeat(12).slice(0, 34));
const personal = buildToken(PERSONAL_TOKEN_PREFIX, 'Zy9'.repeat(12).slice(0, 34));
const session = buildToken(SESSION_PREFIX, 'Xw8'.repeat(12).slice(0, 34));
const link = buildToken(LINK_PREFIX, 'Vu7'.repeat(12).slice(0, 34));
const metricsToken = 'c2VjcmV0LXNlY3JldA==';

function logTo(lines: string[], level: 'debug' | 'info' | 'warn' | 'error' = 'info') {
  return createLog({
    level,
    secrets: [metricsToken],
    clock: systemClock,
    stream: { write: (line) => lines.push(line) },
  });
}

test('a record is one line of JSON with its level name and an ISO 8601 time', () => {
  const lines: string[] = [];
  logTo(lines).info({ requestId: 'req_1' }, 'request');
  expect(lines).toHaveLength(1);
  expect(lines[0]?.endsWith('\n')).toBe(true);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    requestId: 'req_1',
    msg: 'request',
  });
});

test('records below the level are not written', () => {
  const lines: string[] = [];
  const log = logTo(lines, 'warn');
  log.debug({}, 'a');
  log.info({}, 'b');
  log.warn({}, 'c');
  log.error({}, 'd');
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['c', 'd']);
});

test.each([
  ['a message', {}, `refused ${key}`],
  ['a field', { authorization: `Bearer ${key}` }, ''],
  ['a nested field', { a: [{ b: { c: personal } }] }, ''],
  ['the name of a field', { [key]: 1 }, ''],
  ['an error and its stack', { err: new Error(`bad key ${key}`, { cause: new Error(personal) }) }, ''],
  ['the middle of other text', {}, `"${key}"\n\t${personal}${key}`],
  ['a percent-encoded path', { path: `/x/${key.replaceAll('_', '%5F')}/${personal.replaceAll('_', '%5f')}` }, ''],
  ['the path of a link that lost its #', { path: `/join/${link}` }, ''],
  ['a cookie', { cookie: `hub_session=${session}` }, ''],
  ['truncated form', {}, key.slice(0, -6)],
  ['a field and a message, if they are configured', { token: metricsToken }, metricsToken],
])('secrets are redacted in %s', (_, fields, message) => {
  const lines: string[] = [];
  logTo(lines).error(fields, message);
  const text = lines.join('');
  for (const secret of [key, personal, session, link]) expect(text).not.toContain(secret.slice(-20));
  expect(text).not.toContain(key.slice(KEY_PREFIX.length, -6));
  expect(text).not.toContain(metricsToken);
  expect(text).toContain('[hidden]');
  expect(() => JSON.parse(text)).not.toThrow();
});

test('a record about an error has its name, message, stack, code and causes', () => {
  const lines: string[] = [];
  const cause = new RangeError('the cause');
  const err = Object.assign(new AggregateError([new Error('one of many')], 'the error', { cause }), { code: 'EX' });
  logTo(lines).error({ err, requestId: 'req_1' }, 'failed');
  expect(JSON.parse(lines.join(''))).toMatchObject({
    requestId: 'req_1',
    err: {
      type: 'AggregateError',
      message: 'the error',
      stack: expect.stringContaining('log.test.ts'),
      code: 'EX',
      cause: { type: 'RangeError', message: 'the cause' },
      errors: [{ message: 'one of many' }],
    },
  });
});

test('a field that JSON cannot hold costs no other field', () => {
  const lines: string[] = [];
  const loop = new Error('in a circle');
  loop.cause = loop;
  const circle: Record<string, unknown> = { code: 'EX' };
  circle.circle = circle;
  for (const value of [loop, Object.assign(new Error('own field'), { circle }), 1n, circle]) {
    logTo(lines).error({ err: value, requestId: 'req_1', size: value }, 'failed');
  }
  const records = lines.map((line) => JSON.parse(line));
  expect(records).toHaveLength(4);
  for (const record of records) expect(record).toMatchObject({ requestId: 'req_1', msg: 'failed' });
  expect(JSON.stringify(records[0])).toContain('in a circle');
  expect(JSON.stringify(records[1])).toContain('own field');
});

test('the hint of a key is not redacted', () => {
  const lines: string[] = [];
  logTo(lines).info({}, 'key hub_live_Ab3A… of Hub hub_01KA3T8Q6V5M0G7ZB4W2N9RXEC');
  expect(lines.join('')).toContain('key hub_live_Ab3A… of Hub hub_01KA3T8Q6V5M0G7ZB4W2N9RXEC');
});

describe('as text', () => {
  const textOf = (write: (log: ProcessLog) => void, options: { colors?: boolean } = {}) => {
    const lines: string[] = [];
    const clock = { now: () => Date.parse('2026-03-01T09:30:00.000Z') };
    const stream = { write: (line: string) => lines.push(line) };
    write(createLog({ level: 'info', secrets: [metricsToken], clock, stream, format: 'text', ...options }));
    return lines.join('');
  };
  const request = { method: 'GET', path: '/api/v1/hubs', durationMs: 1.5, address: '::1', requestId: 'req_1' };
  const localTime = /^2026-0\d-\d\d \d\d:30:00 /;

  test('a record is one line with the local time, the level, the message and its fields', () => {
    const text = textOf((log) =>
      log.warn({ address: '::1', userId: null, rows: 3, name: 'two words' }, 'Sign-in failed'),
    );
    expect(text).toMatch(localTime);
    expect(text.replace(localTime, '')).toBe('warn  Sign-in failed address=::1 rows=3 name="two words"\n');
  });

  test.each([
    [{ status: 200 }, 'info  GET /api/v1/hubs 200 1.5 ms\n'],
    [
      { status: 404, error: 'not_found' },
      'info  GET /api/v1/hubs 404 1.5 ms error=not_found address=::1 requestId=req_1\n',
    ],
  ])('a request with %p is %p', (outcome, line) => {
    expect(textOf((log) => log.info({ ...request, ...outcome }, 'request')).replace(localTime, '')).toBe(line);
  });

  test('an error has its stack, and the stacks of its causes, in lines of their own', () => {
    const err = new Error('the error', { cause: new RangeError('the cause') });
    const [, ...lines] = textOf((log) => log.error({ err }, 'Request failed')).split('\n');
    expect(lines[0]).toBe('  Error: the error');
    expect(lines).toContain('  Cause: RangeError: the cause');
    expect(lines.filter((line) => line.includes('log.test.ts')).length).toBeGreaterThan(1);
  });

  test.each([['a message'], ['a field'], ['the name of a field'], ['a path'], ['an error']])(
    'no character in %s can control the terminal, and secrets are redacted',
    (where) => {
      const hostile = `\x1b[31m\x9b2J\r\n\u202e\x07${key} ${metricsToken}`;
      const text = textOf((log) => {
        if (where === 'a message') log.info({}, hostile);
        if (where === 'a field') log.info({ hostile, nested: [hostile] }, 'm');
        if (where === 'the name of a field') log.info({ [hostile]: 1 }, 'm');
        if (where === 'a path') log.info({ ...request, path: hostile, status: 200 }, 'request');
        if (where === 'an error') log.error({ err: new Error(hostile, { cause: hostile }) }, 'm');
      });
      expect(text).toContain('[hidden]');
      expect(text).not.toContain(key.slice(-20));
      expect(text).not.toContain(metricsToken);
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      if (where !== 'an error') expect(text.match(/\n/g)).toHaveLength(1);
    },
  );

  test('colors mark the level, and nothing else changes', () => {
    const write = (log: ProcessLog) => log.error({ n: 1 }, 'Commit failed');
    const colored = textOf(write, { colors: true });
    expect(colored).toContain('\x1b[31merror\x1b[39m Commit failed n=1\n');
    expect(Bun.stripANSI(colored)).toBe(textOf(write));
  });
});

test('standard output gets every record, including the last one before the process exits', async () => {
  const script = `
    import { createLog } from '${import.meta.dir}/log.ts';
    const log = createLog({ level: 'info', secrets: [], clock: Date });
    for (let n = 0; n < 5000; n += 1) log.info({ n }, 'x'.repeat(100));
    await log.flush();
    process.exit(0);`;
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' });
  const lines = (await new Response(child.stdout).text()).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: 5000 }, (_, n) => n));
});

test('a closed log reader does not stop the server', async () => {
  const script = `
    import { createLog } from '${import.meta.dir}/log.ts';
    const log = createLog({ level: 'info', secrets: [], clock: Date });
    process.stdin.once('data', () => {
      for (let n = 0; n < 2000; n += 1) log.info({ n }, 'x'.repeat(1000));
      setTimeout(async () => { log.info({}, 'more'); await log.flush(); process.stderr.write('alive'); process.exit(7); }, 50);
    });
    log.info({}, 'ready');`;
  const child = Bun.spawn([process.execPath, '-e', script], { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' });
  const reader = child.stdout.getReader();
  await reader.read();
  await reader.cancel();
  child.stdin.write('go\n');
  child.stdin.flush();
  expect(await child.exited).toBe(7);
  expect(await new Response(child.stderr).text()).toBe('alive');
});
