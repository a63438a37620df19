import { describe, expect, test } from 'bun:test';
import { ConfigError, type Environment, readConfig } from './config.ts';

const noFiles = () => {
  throw new Error('ENOENT');
};

function read(env: Environment, files: Record<string, string> = {}, platform = 'linux') {
  const readFile = (path: string): string => files[path] ?? noFiles();
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
    host: '127.0.0.1',
    port: 3000,
    baseUrl: null,
    tls: null,
    trustedProxies: [],
    adminSocket: 'data/admin.sock',
    logLevel: 'info',
    logFormat: null,
    push: 'on',
    pushContact: null,
    maxKeysPerHub: 100,
    maxLiveConnections: 20,
    maxRequestsPerMinute: 1_200,
    drainSeconds: 0,
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
  const named = [
    'HOST',
    'PORT',
    'BASE_URL',
    'TRUSTED_PROXIES',
    'LOG_LEVEL',
    'METRICS_TOKEN',
    'ADMIN_SOCKET',
    'TLS_KEY_FILE',
  ];
  expect(problems).toEqual(named.map((name) => expect.stringContaining(`HUB_${name}`)));
});

test('warnings are listed with the errors, because a misspelled variable is often the cause', () => {
  expect(() => read({ HUB_PORT: 'x', HUB_LOGLEVEL: 'debug' })).toThrow(
    /HUB_PORT .*\.\nAlso check:\n {2}- HUB_LOGLEVEL .*did you mean HUB_LOG_LEVEL\?$/,
  );
});

describe('HUB_PORT', () => {
  test.each([
    ['0', 0],
    ['65535', 65_535],
    ['8080', 8080],
  ])('%p is accepted as a port', (text, port) => {
    expect(read({ HUB_PORT: text }).port).toBe(port);
  });
  test.each(['65536', '-1', '3000.5', '0x50', 'http', '1e3'])('%p is rejected with an error that quotes it', (text) => {
    expect(problemsOf({ HUB_PORT: text })).toEqual([`HUB_PORT must be an integer from 0 to 65535, not "${text}".`]);
  });
});

describe('HUB_HOST', () => {
  test.each([
    ['0.0.0.0', '0.0.0.0'],
    ['::', '::'],
    ['[::1]', '::1'],
    ['hub.internal', 'hub.internal'],
  ])('%p is accepted', (text, host) => expect(read({ HUB_HOST: text }).host).toBe(host));
  test.each(['http://x', '*', '0.0.0.0:3000', '-x'])('%p is rejected', (text) => {
    expect(problemsOf({ HUB_HOST: text })).toHaveLength(1);
  });
});

describe('HUB_BASE_URL', () => {
  test.each([
    ['https://hub.example.org', 'https://hub.example.org'],
    ['https://Hub.Example.org/', 'https://hub.example.org'],
    ['http://10.0.0.1:8080', 'http://10.0.0.1:8080'],
    ['https://hub.example.org:443', 'https://hub.example.org'],
  ])('%p is the origin %p', (text, origin) => expect(read({ HUB_BASE_URL: text }).baseUrl).toBe(origin));

  test.each([
    'hub.example.org',
    'ftp://hub.example.org',
    'https://hub.example.org/hub',
    'https://hub.example.org/?a=1',
    'https://hub.example.org/#a',
    'javascript:alert(1)',
  ])('%p is rejected', (text) => expect(problemsOf({ HUB_BASE_URL: text })).toHaveLength(1));

  test('with a password in it is rejected without showing the password', () => {
    const [problem] = problemsOf({ HUB_BASE_URL: 'https://me:hunter2@hub.example.org' });
    expect(problem).toContain('HUB_BASE_URL must be');
    expect(problem).not.toContain('hunter2');
  });
});

describe('HUB_TRUSTED_PROXIES', () => {
  test('accepts IPv4 and IPv6 addresses and blocks', () => {
    expect(read({ HUB_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7,fd00::/8,::1,' }).trustedProxies).toEqual([
      { address: '10.0.0.0', family: 'ipv4', prefixBits: 8 },
      { address: '192.0.2.7', family: 'ipv4', prefixBits: 32 },
      { address: 'fd00::', family: 'ipv6', prefixBits: 8 },
      { address: '::1', family: 'ipv6', prefixBits: 128 },
    ]);
  });
  test.each(['proxy.internal', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/8/8', '10.0.0.0/', 'fe80::1%eth0', '10.0/8'])(
    '%p is rejected with an error that quotes it',
    (text) => expect(problemsOf({ HUB_TRUSTED_PROXIES: `::1,${text}` })[0]).toContain(`"${text}" is not valid`),
  );
});

describe('HUB_TLS_CERT_FILE and HUB_TLS_KEY_FILE', () => {
  test.each([
    ['CERT', 'KEY'],
    ['KEY', 'CERT'],
  ])('%p without the other is rejected', (present, absent) => {
    expect(problemsOf({ [`HUB_TLS_${present}_FILE`]: '/x.pem' })).toEqual([
      `HUB_TLS_${absent}_FILE is missing: HTTPS needs it together with HUB_TLS_${present}_FILE; set both or neither.`,
    ]);
  });
});

describe('HUB_ADMIN_SOCKET', () => {
  test('is in the data directory unless it is set', () => {
    expect(read({ HUB_DATA_DIR: '/var/lib/hub' }).adminSocket).toBe('/var/lib/hub/admin.sock');
    expect(read({ HUB_ADMIN_SOCKET: '/run/hub.sock' }).adminSocket).toBe('/run/hub.sock');
  });
  test.each([
    ['linux', 107],
    ['darwin', 103],
  ])('on %s, a path can be at most %d bytes long', (platform, limit) => {
    const fits = `/${'é'.repeat((limit - 1) / 2)}`;
    expect(problemsOf({ HUB_ADMIN_SOCKET: fits }, {}, platform)).toEqual([]);
    const [problem] = problemsOf({ HUB_ADMIN_SOCKET: `${fits}x` }, {}, platform);
    expect(problem).toContain(`has ${limit + 1} bytes, but this system allows at most ${limit}`);
    expect(problem).toContain('set HUB_ADMIN_SOCKET to a shorter path');
  });
});

describe('a secret', () => {
  const secret = 'c2VjcmV0LXNlY3JldA==';

  test('can be read from a file, without the trailing newline', () => {
    expect(read({ HUB_METRICS_TOKEN_FILE: '/run/secret' }, { '/run/secret': `${secret}\n` }).metricsToken).toBe(secret);
    expect(read({ HUB_METRICS_TOKEN_FILE: '/run/secret' }, { '/run/secret': `${secret}\r\n` }).metricsToken).toBe(
      secret,
    );
  });
  test('set twice is rejected as ambiguous', () => {
    const env = { HUB_METRICS_TOKEN: secret, HUB_METRICS_TOKEN_FILE: '/run/secret' };
    expect(problemsOf(env, { '/run/secret': secret })).toEqual([
      'HUB_METRICS_TOKEN and HUB_METRICS_TOKEN_FILE are both set: keep only one.',
    ]);
  });
  test('in a file that is unreadable or empty is rejected', () => {
    expect(problemsOf({ HUB_METRICS_TOKEN_FILE: '/gone' })[0]).toContain('HUB_METRICS_TOKEN_FILE: ENOENT');
    expect(problemsOf({ HUB_METRICS_TOKEN_FILE: '/empty' }, { '/empty': '\n' })[0]).toContain(
      'write the secret to /empty',
    );
  });
  test('is never shown in an error', () => {
    const bad = 'a secret with spaces in it';
    expect(problemsOf({ HUB_METRICS_TOKEN: bad }).join()).not.toContain(bad);
    expect(problemsOf({ HUB_METRICS_TOKEN_FILE: '/f' }, { '/f': bad }).join()).not.toContain(bad);
  });
});

describe('an unknown HUB_ variable', () => {
  test.each([
    ['HUB_PROT', 'HUB_PORT'],
    ['HUB_DATADIR', 'HUB_DATA_DIR'],
    ['HUB_TLS_KEY', 'HUB_TLS_KEY_FILE'],
    ['HUB_METRICS_TOKEN_FLIE', 'HUB_METRICS_TOKEN_FILE'],
  ])('%s causes a warning with the variable that was probably meant', (typed, meant) => {
    expect(read({ [typed]: 'x' }).warnings).toEqual([
      `${typed} is not a server setting and is ignored; did you mean ${meant}?`,
    ]);
  });
  test('causes a warning that contains neither its value nor a far-fetched suggestion', () => {
    for (const name of ['HUB_SECRET_SAUCE', 'HUB_FOO']) {
      expect(read({ [name]: 'garlic' }).warnings).toEqual([`${name} is not a server setting and is ignored.`]);
    }
  });
});

test('the address of a database is one of PostgreSQL, and is never shown', () => {
  const url = 'postgres://hub:secret@db.example.org/hub?sslmode=verify-full';
  expect(read({ HUB_DATABASE_URL: url }).databaseUrl).toBe(url);
  expect(read({ HUB_DATABASE_URL_FILE: '/run/url' }, { '/run/url': `${url}\n` }).databaseUrl).toBe(url);
  for (const wrong of ['mysql://hub:secret@db/hub', 'postgres://hub:secret@db', 'hub:secret@db']) {
    const problems = problemsOf({ HUB_DATABASE_URL: wrong });
    expect(problems).toEqual([expect.stringContaining('HUB_DATABASE_URL must be an address such as postgres://')]);
    expect(problems.join()).not.toContain('secret@');
  }
});
