import { expect, test } from 'bun:test';
import { ConfigError, type Environment, readConfig } from './config.ts';
import { readDatabaseAddress } from './config-schemas.ts';

function read(env: Environment, files: Record<string, string> = {}, platform = 'linux') {
  const readFile = (path: string): string => {
    if (files[path] === undefined) throw new Error('ENOENT');
    return files[path];
  };
  return readConfig(env, { readFile, platform });
}

function problemsOf(env: Environment, files: Record<string, string> = {}, platform = 'linux'): readonly string[] {
  try {
    read(env, files, platform);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test('an empty environment gives the documented defaults', () => {
  expect(read({})).toEqual({
    dataDir: './data',
    databaseUrl: null,
    databasePool: 26,
    host: '127.0.0.1',
    port: 3000,
    baseUrl: null,
    tls: null,
    trustedProxies: [],
    adminSocket: 'data/admin.sock',
    secretsKey: [],
    logLevel: 'info',
    logFormat: null,
    push: 'on',
    pushContact: null,
    provider: null,
    maxKeysPerHub: 100,
    maxLiveConnections: 20,
    maxRequestsPerMinute: 1_200,
    drainSeconds: 0,
    maxFileBytes: 26_214_400,
    filesMaxBytes: 10_737_418_240,
    smtpUrl: null,
    mailFrom: null,
    metricsToken: null,
    warnings: [],
  });
});

test('all errors are reported together, each with its variable', () => {
  const problems = problemsOf({
    HUB_PORT: '70000',
    HUB_HOST: 'a b',
    HUB_BASE_URL: 'hub.example.org',
    HUB_TLS_CERT_FILE: '/tls/cert.pem',
    HUB_TRUSTED_PROXIES: '10.0.0.0/33',
    HUB_LOG_LEVEL: 'loud',
    HUB_METRICS_TOKEN: 'short',
    HUB_ADMIN_SOCKET: '/x'.repeat(60),
  });
  const named = 'HOST PORT BASE_URL TRUSTED_PROXIES LOG_LEVEL METRICS_TOKEN ADMIN_SOCKET TLS_KEY_FILE'.split(' ');
  expect(problems).toEqual(named.map((name) => expect.stringContaining(`HUB_${name}`)));
});

test('warnings are listed with the errors, because a misspelled variable is often the cause', () => {
  expect(() => read({ HUB_PORT: 'x', HUB_LOGLEVEL: 'debug' })).toThrow(
    /HUB_PORT .*\.\nAlso check:\n {2}- HUB_LOGLEVEL .*did you mean HUB_LOG_LEVEL\?$/,
  );
});

const range = (address: string, family: string, prefixBits: number) => ({ address, family, prefixBits });

test.each<[name: string, setting: keyof ReturnType<typeof read>, accepted: Record<string, unknown>, rejected: string]>([
  ['HUB_PORT', 'port', { 0: 0, 65535: 65_535, 8080: 8080 }, '65536 -1 3000.5 0x50 http 1e3'],
  [
    'HUB_HOST',
    'host',
    { '0.0.0.0': '0.0.0.0', '::': '::', '[::1]': '::1', 'hub.lan': 'hub.lan' },
    'http://x * a:80 -x',
  ],
  [
    'HUB_BASE_URL',
    'baseUrl',
    {
      'https://Hub.Example.org/': 'https://hub.example.org',
      'http://10.0.0.1:8080': 'http://10.0.0.1:8080',
      'https://hub.example.org:443': 'https://hub.example.org',
    },
    `hub.example.org ftp://hub.example.org https://hub.example.org/hub https://hub.example.org/?a=1
      https://hub.example.org/#a javascript:alert(1) https://me:hunter2@hub.example.org`,
  ],
  [
    'HUB_TRUSTED_PROXIES',
    'trustedProxies',
    {
      '10.0.0.0/8, 192.0.2.7': [range('10.0.0.0', 'ipv4', 8), range('192.0.2.7', 'ipv4', 32)],
      'fd00::/8,::1,': [range('fd00::', 'ipv6', 8), range('::1', 'ipv6', 128)],
    },
    'proxy.internal 10.0.0.0/33 fd00::/129 10.0.0.0/8/8 10.0.0.0/ fe80::1%eth0 10.0/8',
  ],
])('%s is read as %s, or rejected with one problem', (name, setting, accepted, rejected) => {
  for (const [text, value] of Object.entries(accepted)) {
    expect([text, read({ [name]: text })[setting]]).toEqual([text, value as never]);
  }
  for (const text of rejected.split(/\s+/)) {
    const problems = problemsOf({ [name]: text });
    expect([text, problems]).toEqual([text, [expect.stringContaining(`${name} `)]]);
    if (!text.includes('hunter2')) expect(problems[0]).toContain(text.split(',').at(-1) ?? '');
    expect(problems.join()).not.toContain('hunter2');
  }
});

test('HUB_TLS_CERT_FILE or HUB_TLS_KEY_FILE without the other is rejected', () => {
  for (const [present, absent] of ['CERT KEY', 'KEY CERT'].map((names) => names.split(' ')))
    expect(problemsOf({ [`HUB_TLS_${present}_FILE`]: '/x.pem' })).toEqual([
      `HUB_TLS_${absent}_FILE is missing: HTTPS needs it together with HUB_TLS_${present}_FILE; set both or neither.`,
    ]);
});

test('HUB_ADMIN_SOCKET is in the data directory unless it is set', () => {
  expect(read({ HUB_DATA_DIR: '/var/lib/hub' }).adminSocket).toBe('/var/lib/hub/admin.sock');
  expect(read({ HUB_ADMIN_SOCKET: '/run/hub.sock' }).adminSocket).toBe('/run/hub.sock');
});
test.each([
  ['linux', 107],
  ['darwin', 103],
])('HUB_ADMIN_SOCKET can be, on %s, at most %d bytes long', (platform, limit) => {
  const fits = `/${'é'.repeat((limit - 1) / 2)}`;
  expect(problemsOf({ HUB_ADMIN_SOCKET: fits }, {}, platform)).toEqual([]);
  const [problem] = problemsOf({ HUB_ADMIN_SOCKET: `${fits}x` }, {}, platform);
  expect(problem).toContain(`has ${limit + 1} bytes, but this system allows at most ${limit}`);
  expect(problem).toContain('set HUB_ADMIN_SOCKET to a shorter path');
});

test('a secret can be read from a file; it is rejected without being shown', () => {
  const secret = 'c2VjcmV0LXNlY3JldA==';
  const env = { HUB_METRICS_TOKEN_FILE: '/f' };
  for (const end of ['\n', '\r\n']) expect(read(env, { '/f': secret + end }).metricsToken).toBe(secret);
  expect(problemsOf({ ...env, HUB_METRICS_TOKEN: secret }, { '/f': secret })).toEqual([
    'HUB_METRICS_TOKEN and HUB_METRICS_TOKEN_FILE are both set: keep only one.',
  ]);
  expect(problemsOf(env)[0]).toContain('HUB_METRICS_TOKEN_FILE: ENOENT');
  expect(problemsOf(env, { '/f': '\n' })[0]).toContain('write the secret to /f');
  const bad = 'a secret with spaces in it';
  for (const problems of [problemsOf({ HUB_METRICS_TOKEN: bad }), problemsOf(env, { '/f': bad })]) {
    expect([problems.length, problems.join().includes(bad)]).toEqual([1, false]);
  }
});

test.each([
  ['HUB_PROT', '; did you mean HUB_PORT?'],
  ['HUB_TLS_KEY', '; did you mean HUB_TLS_KEY_FILE?'],
  ['HUB_METRICS_TOKEN_FLIE', '; did you mean HUB_METRICS_TOKEN_FILE?'],
  ['HUB_SECRET_SAUCE', '.'],
  ['HUB_FOO', '.'],
])('an unknown variable %s causes a warning without its value, with what was probably meant%s', (typed, meant) => {
  expect(read({ [typed]: 'x' }).warnings).toEqual([`${typed} is not a server setting and is ignored${meant}`]);
});

test('the address of a database is one of PostgreSQL, and is never shown', () => {
  const url = 'postgres://hub:secret@db.example.org/hub?sslmode=verify-full';
  expect(read({ HUB_DATABASE_URL: url }).databaseUrl).toBe(url);
  expect(read({ HUB_DATABASE_URL_FILE: '/run/url' }, { '/run/url': `${url}\n` }).databaseUrl).toBe(url);
  const several = 'postgres://hub:secret@db-1:5432,[::1],db-3/hub?sslmode=verify-full&target_session_attrs=read-write';
  expect(read({ HUB_DATABASE_URL: several }).databaseUrl).toBe(several);
  const address = readDatabaseAddress(several);
  expect(address).toMatchObject({ needsPrimary: true });
  expect(address?.servers.map(({ href }) => href)).toEqual(
    ['db-1:5432', '[::1]', 'db-3'].map((host) => `postgres://hub:secret@${host}/hub?sslmode=verify-full`),
  );
  const wrongs = 'mysql://hub:secret@db/hub postgres://hub:secret@db hub:secret@db postgres://hub:secret@db,/hub';
  for (const wrong of [...wrongs.split(' '), 'postgres://hub:secret@db/hub?target_session_attrs=standby']) {
    const problems = problemsOf({ HUB_DATABASE_URL: wrong });
    expect(problems).toEqual([expect.stringContaining('HUB_DATABASE_URL must be an address such as postgres://')]);
    expect(problems.join()).not.toContain('secret@');
  }
});

test('mail needs a server, a sender and the address of links; the password is never shown', () => {
  const env = { HUB_SMTP_URL: 'smtp://hub%40x:p%2Fw@mail.example.org', HUB_MAIL_FROM: 'Hub <hub@example.org>' };
  const complete = { ...env, HUB_BASE_URL: 'https://hub.example.org' };
  expect(read(complete)).toMatchObject({
    smtpUrl: { host: 'mail.example.org', port: 587, security: 'starttls', user: 'hub@x', password: 'p/w' },
    mailFrom: { name: 'Hub', address: 'hub@example.org' },
  });
  const smtpOf = (HUB_SMTP_URL: string) => read({ ...complete, HUB_SMTP_URL }).smtpUrl;
  const overTls = { host: '::1', port: 465, security: 'tls', caFile: '/ca.pem' };
  expect(smtpOf('smtps://[::1]?ca=/ca.pem')).toMatchObject(overTls);
  expect(smtpOf('smtp://localhost:1025')).toMatchObject({ port: 1025, security: 'local', user: null });
  expect(smtpOf('smtp://mailpit:1025?tls=off')).toMatchObject({ port: 1025, security: 'off' });
  const { mailFrom } = read({ ...complete, HUB_MAIL_FROM: 'hub@example.org' });
  expect(mailFrom).toEqual({ name: '', address: 'hub@example.org' });
  for (const name of ['HUB_SMTP_URL', 'HUB_MAIL_FROM', 'HUB_BASE_URL'])
    expect(problemsOf({ ...complete, [name]: '' })).toEqual([expect.stringContaining(`${name} is missing`)]);
  const wrongs = 'mail.example.org http://hub:hunter2@x smtp:// smtp://hub:hunter2@x/y smtp://x?tls=on';
  for (const wrong of wrongs.split(' ')) {
    const problems = problemsOf({ ...complete, HUB_SMTP_URL: wrong });
    expect(problems).toEqual([expect.stringContaining('HUB_SMTP_URL must be an address such as smtps://')]);
    expect(problems.join()).not.toContain('hunter2');
  }
  for (const wrong of ['Hub', 'Hub <hub@example.org', 'a@b, c@d', '<a@b> c'])
    expect(`${wrong}: ${problemsOf({ ...complete, HUB_MAIL_FROM: wrong })[0]}`).toContain(': HUB_MAIL_FROM must be');
});
