import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { createUser, memberOf, newTokenOf, type TestUser } from '@hub/testkit/in-process/users';
import { errorResponse } from '@hub/testkit/scripted-server';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { sharedHubctl } from '../test/hubctl-on-hub.ts';
import { errorOf, leaves, parserOnly, type RunOptions, runHubctl } from '../test/run-hubctl.ts';
import { temporaryHome } from '../test/temporary-home.ts';
import { commandPath } from './runtime/command-line.ts';
import type { Deps } from './runtime/deps.ts';

const on = sharedHubctl();
const home = temporaryHome();
const folder = temporaryFolder();
afterAll(() => {
  folder[Symbol.dispose]();
  home[Symbol.dispose]();
});

/** Commands that run until they are stopped, or run another program. They have their own tests. */
const TESTED_ELSEWHERE = new Set(['ask', 'mcp', 'run', 'tail']);

/** Commands that read a password from standard input, which is then not a terminal. */
const PIPED = new Set(['users create', 'login']);

const commands = leaves(parserOnly())
  .map((command) => commandPath(command).replace('hubctl ', ''))
  .filter((path) => !TESTED_ELSEWHERE.has(path));

let ada: TestUser;
beforeAll(async () => {
  ada = await createUser(on.hub, { role: 'admin' });
});

interface Call {
  /** The arguments after the command. */
  text?: string[];
  stdin?: string;
  env?: Record<string, string>;
}

let last = 0;
const newName = () => `name ${++last}`;
const newHub = async () => (await on.hub.admin.createHub(newName())).id;
const newUser = async () => (await createUser(on.hub)).email;
const newKey = async () => (await on.issue(newName())).id;
const newMember = async () => (await memberOf(on.hub, on.releases.id)).user.email;
const invited = async () => {
  const email = `invited-${++last}@example.org`;
  return (await on.hub.admin.request('POST /invitations', { body: { email } })).email;
};
const backedUp = async () => {
  const file = folder.file(`${newName()}.db`);
  await on.hubctl(['backup', file]);
  return file;
};
const newRemoval = async () => {
  const { key, id } = await on.issue(newName());
  await on.hubctl(['post', 'x'], { env: { HUB_API_KEY: key } });
  const { json } = await on.hubctl(['keys', 'posts', 'remove', id, '--yes', '--json']);
  return { text: [id, json<{ id: string }>().id] };
};
const key = async () => ({ HUB_API_KEY: (await on.issue(newName(), '--scopes', 'messages,notes,todos')).key });
/** Runs a command, with arguments that make it complete. */
const complete = async (path: string) => {
  const { text = [], ...options } = (await CALLS[path]?.()) ?? {};
  return { argv: [...path.split(' '), ...text], options };
};
const atHome = { ...home.env, HUB_ADMIN_SOCKET: '' };
const login = async (name: string): Promise<Call> => ({
  text: [on.hub.origin, '--with-token', '--profile', name],
  stdin: await newTokenOf(on.hub, ada),
  env: atHome,
});
const loggedIn = async (): Promise<string> => {
  const name = `profile-${++last}`;
  const { text = [], stdin = '', env = {} } = await login(name);
  await on.hubctl(['login', ...text], { stdin, env });
  return name;
};

/** Commands that need no arguments. */
const BARE = 'hubs list,users list,users invitations list,keys list,status,nodes,doctor,setup-link'.split(',');

/** A complete command line for each command. */
const CALLS: Record<string, () => Promise<Call>> = {
  ...Object.fromEntries(BARE.map((path) => [path, async () => ({})])),
  'post message': async () => ({ text: ['text'], env: await key() }),
  'post note': async () => ({ text: ['text', '--title', 'title'], env: await key() }),
  'post todo': async () => ({ text: ['title', '--priority', 'low'], env: await key() }),
  'outbox list': async () => ({ text: ['--outbox', folder.file('outbox')] }),
  'outbox flush': async () => ({ text: ['--outbox', folder.file('outbox')], env: await key() }),
  'outbox drop': async () => ({ text: ['--all', '--yes', '--outbox', folder.file('outbox')] }),
  'hubs show': async () => ({ text: [await newHub()] }),
  'hubs create': async () => ({ text: [newName()] }),
  'hubs edit': async () => ({ text: [await newHub(), '--retention', '30', '--yes'] }),
  'hubs members list': async () => ({ text: ['Releases'] }),
  'hubs members add': async () => ({ text: ['Releases', await newUser()] }),
  'hubs members remove': async () => ({ text: ['Releases', await newMember()] }),
  'hubs export': async () => ({ text: ['Releases', folder.file(`${newName()}.json`)] }),
  'hubs delete': async () => ({ text: [await newHub(), '--yes'] }),
  'hubs restore': async () => ({ text: [(await on.hub.admin.deleteHub(await newHub())).id] }),
  'users show': async () => ({ text: [await newUser()] }),
  'users create': async () => ({
    text: ['--email', `made-${++last}@example.org`, '--name', newName(), '--role', 'member', '--password-stdin'],
    stdin: 'the password',
  }),
  'users invite': async () => ({ text: ['--email', `called-${++last}@example.org`, '--hub', 'Releases'] }),
  'users invitations withdraw': async () => ({ text: [await invited()] }),
  'users edit': async () => ({ text: [await newUser(), '--name', newName()] }),
  'users role': async () => ({ text: [await newUser(), 'admin'] }),
  'users reset-password': async () => ({ text: [await newUser()] }),
  'users sign-out': async () => ({ text: [await newUser(), '--yes'] }),
  'users reset-factors': async () => ({ text: [await newUser(), '--yes'] }),
  'users disable': async () => ({ text: [await newUser(), '--yes'] }),
  'users enable': async () => {
    const email = await newUser();
    await on.hubctl(['users', 'disable', email, '--yes']);
    return { text: [email] };
  },
  audit: async () => ({ text: ['--since', '1d'] }),
  api: async () => ({ text: ['GET', '/hubs', '-f', 'state=live', '--paginate'] }),
  'keys show': async () => ({ text: [await newKey()] }),
  'keys issue': async () => ({ text: ['--hub', 'Releases', '--name', newName(), '--scopes', 'notes'] }),
  'keys edit': async () => ({ text: [await newKey(), '--description', 'Builds'] }),
  'keys rotate': async () => ({ text: [await newKey()] }),
  'keys replace': async () => ({ text: [await newKey()] }),
  'keys revoke': async () => ({ text: [await newKey(), '--yes'] }),
  'keys posts preview': async () => ({ text: [await newKey()] }),
  'keys posts remove': async () => ({ text: [await newKey(), '--yes'] }),
  'keys posts undo': newRemoval,
  login: () => login(`profile-${++last}`),
  logout: async () => ({ text: ['--profile', await loggedIn()], env: atHome }),
  whoami: async () => ({ text: ['--profile', await loggedIn()], env: atHome }),
  'profiles list': async () => ({ env: atHome }),
  'profiles use': async () => ({ text: [await loggedIn()], env: atHome }),
  backup: async () => ({ text: [folder.file(`${newName()}.db`)] }),
  restore: async () => ({ text: [await backedUp(), '--data-dir', folder.file(newName())] }),
  completion: async () => ({ text: ['zsh'] }),
};

test('this suite covers every command', () => {
  expect(Object.keys(CALLS).sort()).toEqual([...commands].sort());
});

for (const path of commands) {
  test(`a complete command line for ${path} causes no prompt, and prints one JSON document with --json`, async () => {
    const { argv, options } = await complete(path);
    const forPrograms = await on.hubctl([...argv, '--json'], options);
    expect([forPrograms.code, forPrograms.stdout.trim().split('\n').length]).toEqual([0, 1]);
    expect(forPrograms.json()).toEqual(expect.any(Object));
    if (PIPED.has(path)) return;
    // The command causes no prompt at a terminal either, except for replace, which always asks there.
    const again = await complete(path);
    const responses = path === 'keys replace' ? [true] : [];
    const forUsers = await on.hubctl(again.argv, { ...again.options, responses });
    expect([forUsers.code, forUsers.stderr]).toEqual([0, expect.not.stringContaining('error')]);
  });
}

test('a command that cannot be undone asks at a terminal, and needs --yes elsewhere', async () => {
  const asking: string[] = [];
  for (const path of commands) {
    const { argv: given, options } = await complete(path);
    // These have nothing to delete here.
    if (!given.includes('--yes') || ['outbox drop', 'keys posts remove'].includes(path)) continue;
    asking.push(path);
    const argv = given.filter((word) => word !== '--yes');
    const message = expect.stringContaining('--yes');
    expect(errorOf(await on.hubctl([...argv, '--json'], options))).toMatchObject({ exitCode: 2, message });
    const { code, stdout, asked } = await on.hubctl(argv, { ...options, responses: [''] });
    expect([path, code, stdout, asked.length]).toEqual([path, 1, '', 1]);
  }
  expect(asking).toContain('keys revoke');
});

for (const path of commands) {
  test(`an incomplete command line for ${path} causes no prompt without a terminal`, async () => {
    const options = { env: { HUB_DATA_DIR: '/nonexistent' }, stdin: '' };
    const ran = await runHubctl([...path.split(' '), '--json'], options);
    const { code, exitCode } = ran.code === 0 ? { code: '', exitCode: 0 } : errorOf(ran);
    expect(exitCode).toBe(ran.code);
    expect(['', 'usage', 'unreachable', 'not_found']).toContain(code);
  });
}

/** Commands that succeed without a server. `logout` removes the profile and warns about the token. */
const LOCAL = new Set(['profiles list', 'profiles use', 'restore', 'completion', 'logout']);
const status =
  (code: number, headers = {}) =>
  async () =>
    errorResponse(code, 'No', headers);
const broken = (code: string) => () => Promise.reject(Object.assign(new TypeError('no'), { code }));

/** The exit code and the code of the error for each class of errors, by docs/hubctl.md. */
const ERRORS: [name: string, fetch: Deps['fetch'], exitCode: number, code: string][] = [
  ['a server that is not there', broken('ConnectionRefused'), 3, 'unreachable'],
  ['a lost connection', broken('ECONNRESET'), 3, 'unreachable'],
  ['a 401', status(401), 4, 'unauthenticated'],
  ['a 403', status(403), 4, 'forbidden'],
  ['a 403 with Retry-After', status(403, { 'retry-after': '9' }), 5, 'rate_limited'],
  ['a 429', status(429, { 'retry-after': '9' }), 5, 'rate_limited'],
  ['a 404', status(404), 1, 'not_found'],
  ['a 409', status(409), 1, 'conflict'],
  ['a 500', status(500), 1, 'server_error'],
  ['a 503', status(503), 1, 'unavailable'],
];

/** Commands that say more than the status: the URL is not that of a Hub, the server cannot use its database. */
const SPECIFIC: Record<string, string> = { 'login a 404': 'unexpected_response', 'doctor a 503': 'unwell' };

for (const path of commands.filter((path) => !LOCAL.has(path) && !path.startsWith('outbox '))) {
  test(`each class of errors causes the same exit code and the same code in ${path}`, async () => {
    const { argv, options } = await complete(path);
    for (const [name, fetch, exitCode, code] of ERRORS) {
      const ran = await on.hubctl([...argv, '--json'], { ...options, fetch });
      const expected = [name, exitCode, exitCode, SPECIFIC[`${path} ${name}`] ?? code];
      expect<unknown[]>([name, ran.code, errorOf(ran).exitCode, errorOf(ran).code]).toEqual(expected);
    }
  });
}

/** Commands that print a paginated list from the server. */
const LISTS = ['hubs list', 'hubs members list', 'users list', 'users invitations list', 'keys list', 'audit'];
for (const path of LISTS) {
  test(`${path} fetches all pages`, async () => {
    const text = path === 'hubs members list' ? [`hub_${'A'.repeat(26)}`] : [];
    const fetch = async (url: string) => {
      const { pathname, searchParams } = new URL(url);
      if (/_A{26}$/.test(pathname)) return Response.json({ id: pathname.split('/').at(-1) });
      const before = Number(searchParams.get('before') ?? 4);
      const items = [{ id: `id ${before}`, disabledAt: null }];
      return Response.json({ items, next: before > 1 ? String(before - 1) : null });
    };
    const ran = await runHubctl([...path.split(' '), ...text, '--json'], { fetch });
    const items = ['id 4', 'id 3', 'id 2', 'id 1'].map((id) => ({ id }));
    expect(ran.json()).toMatchObject({ items });
  });
}

describe('exit codes', () => {
  const LONG = 'x'.repeat(300);
  const NO_DAY = '2027-02-31T09:00Z';
  const nowhere = '/nonexistent/file';
  const there = folder.file('there');
  const directory = folder.file('folder');
  const into = `--data-dir ${folder.file('new')}`;
  const issue = 'keys issue --hub Releases --scopes notes --name';
  const create = 'users create --password-stdin --name A --email';

  let apiKey: string;
  beforeAll(async () => {
    apiKey = (await on.hub.admin.issueKey({ hubId: on.releases.id })).key;
    await on.issue('robot');
    await Bun.write(there, 'x');
    mkdirSync(directory);
  });

  async function failureOf(line: string, options: RunOptions = {}) {
    const env = { HUB_API_KEY: apiKey, ...home.env, ...options.env };
    const ran = await on.hubctl([...line.split(' '), '--json'], { ...options, env });
    expect<number>(ran.code).toBe(errorOf(ran).exitCode);
    return errorOf(ran);
  }
  /** Returns the rows of a table with a short text for its title. */
  const titled = <Rest extends unknown[]>(rows: [line: string, ...Rest][]) =>
    rows.map(([line, ...rest]) => [line.replaceAll(/x{9,}/g, 'x…'), line, ...rest] as const);

  test.each(
    titled<[option: string]>([
      [`hubs create ${LONG}`, 'The name'],
      [`hubs edit Releases --name ${LONG}`, '--name'],
      ['hubs edit Releases --retention 999999999 --yes', '--retention'],
      [`${issue} ${LONG}`, '--name'],
      [`${create} a@example.org --name ${LONG}`, '--name'],
      [`${create} ${LONG}@example.org`, '--email'],
      [`users invite --email ${LONG}@example.org`, '--email'],
      [`post ${LONG.repeat(200)}`, 'The text'],
      [`post note ${LONG.repeat(700)}`, 'The content'],
      [`post note --content ${LONG.repeat(700)}`, '--content'],
      [`post note x --title ${LONG}`, '--title'],
      [`post todo ${LONG}`, 'The title'],
      [`post todo x --content ${LONG.repeat(700)}`, '--content'],
      [`post x --run-marker ${LONG}`, '--run-marker'],
      [`post todo x --due ${NO_DAY}`, '--due'],
      [`${issue} x --expires-at ${NO_DAY}`, '--expires-at'],
      [`keys rotate robot --expires-at ${NO_DAY}`, '--expires-at'],
      [`keys posts preview robot --from ${NO_DAY}`, '--from'],
      [`keys posts preview robot --to ${NO_DAY}`, '--to'],
      [`tail Releases --since ${NO_DAY}`, '--since'],
    ]),
  )('an invalid value causes exit code 2 and an error that names its option: %s', async (_, line, option) => {
    const { code, exitCode, message } = await failureOf(line, { stdin: 'a password of Ada' });
    expect([code, exitCode]).toEqual(['usage', 2]);
    expect(message).toMatch(new RegExp(`^(Invalid )?${option} `));
  });

  test.each(
    titled<[input: string, exitCode: number, message: string]>([
      [`backup ${there}`, '', 2, `${there} already exists.`],
      [`hubs export Releases ${there}`, '', 2, `${there} already exists.`],
      [`keys rotate robot --out ${there}`, '', 2, `Cannot write ${there}: it already exists.`],
      ['post', '', 1, 'The text is empty: standard input has no text.'],
      ['post note', ' \n', 1, 'The content is empty: standard input has no text.'],
      ['post', LONG.repeat(200), 1, 'The text has 60000 characters'],
      ['post todo', LONG, 1, 'The title has 300 characters'],
      [`post --file ${nowhere}`, '', 1, `Cannot read ${nowhere}: no such file.`],
      [`post --file ${directory}`, '', 1, 'it is a directory.'],
      [`post x --key-file ${nowhere}`, '', 1, `Cannot read ${nowhere}: no such file.`],
      ['post x --key-stdin', '', 1, 'No API key: standard input is empty.'],
      [`${create} a@example.org`, '', 1, 'standard input is empty'],
      [`${create} a@example.org`, 'short', 1, 'The password has 5'],
      ['login http://127.0.0.1:9 --with-token', '', 1, 'standard input is empty'],
      [`restore ${nowhere} ${into}`, '', 1, `Cannot read ${nowhere}`],
      [`restore ${directory} ${into}`, '', 1, 'is not a file.'],
      [`backup ${nowhere}`, '', 1, `Cannot write ${nowhere}: its directory does not exist.`],
      [`hubs export Releases ${nowhere}`, '', 1, `Cannot write ${nowhere}: its directory does not exist.`],
      [`keys rotate robot --out ${nowhere}`, '', 1, `Cannot write ${nowhere}: its directory does not exist.`],
    ]),
  )('invalid input or an unusable file causes a readable reason: %s', async (_, line, stdin, exitCode, message) => {
    const error = await failureOf(line, { stdin });
    expect([error.exitCode, error.message]).toEqual([exitCode, expect.stringContaining(message)]);
    expect(JSON.stringify(error)).not.toMatch(/\bE[A-Z]{4,}\b/);
  });

  test('a name at a prompt that is too long, and profiles that cannot be accessed, cause exit code 1', async () => {
    const ran = await on.hubctl(['hubs', 'create'], { responses: [LONG] });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('error: The name has 300 characters') });
    const env = { HOME: '/nonexistent', XDG_CONFIG_HOME: there };
    for (const line of ['profiles', 'whoami --profile x']) {
      const message = expect.stringContaining('part of its path is not a directory');
      expect(await failureOf(line, { env })).toMatchObject({ exitCode: 1, message });
    }
  });
});
