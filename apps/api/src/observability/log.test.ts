import { expect, test } from 'bun:test';
import { buildToken, KEY_PREFIX, LINK_PREFIX, PERSONAL_TOKEN_PREFIX, SESSION_PREFIX } from '@hub/contract';
import { systemClock } from '../adapters/system-clock.ts';
import { createLog } from './log.ts';

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
