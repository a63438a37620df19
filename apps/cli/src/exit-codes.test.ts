import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { temporaryFolder, temporaryHome } from '@hub/testkit/cli/files';
import { type HubctlOnHub, startHubctl } from '@hub/testkit/cli/hubctl-on-hub';
import { errorOf, type RunOptions } from '@hub/testkit/cli/run-hubctl';

const LONG = 'x'.repeat(300);
const NO_DAY = '2027-02-31T09:00Z';

let on: HubctlOnHub;
let apiKey: string;
const home = temporaryHome();
const folder = temporaryFolder();
beforeAll(async () => {
  on = await startHubctl();
  apiKey = (await on.hub.admin.issueKey({ hubId: on.releases.id })).key;
  await on.issue('robot');
  await Bun.write(folder.file('there'), 'x');
  mkdirSync(folder.file('folder'));
});
afterAll(() => {
  folder[Symbol.dispose]();
  home[Symbol.dispose]();
  return on.stop();
});

async function failureOf(line: readonly string[], options: RunOptions = {}) {
  const env = { HUB_API_KEY: apiKey, ...home.env, ...options.env };
  const ran = await on.hubctl([...line, '--json'], { ...options, env });
  expect<number>(ran.code).toBe(errorOf(ran).exitCode);
  return errorOf(ran);
}

describe('an invalid value on the command line causes exit code 2 and an error that names its option', () => {
  const cases: [line: string[], option: string][] = [
    [['hubs', 'create', LONG], 'The name'],
    [['hubs', 'rename', 'Releases', LONG], 'The name'],
    [['hubs', 'change', 'Releases', '--name', LONG], '--name'],
    [['hubs', 'change', 'Releases', '--retention-days', '999999999', '--yes'], '--retention-days'],
    [['keys', 'issue', '--hub', 'Releases', '--scopes', 'notes', '--name', LONG], '--name'],
    [['users', 'create', '--email', 'ada@example.org', '--name', LONG, '--password-stdin'], '--name'],
    [['users', 'create', '--email', `${LONG}@example.org`, '--name', 'Ada', '--password-stdin'], '--email'],
    [['users', 'invite', '--email', `${LONG}@example.org`], '--email'],
    [['post', LONG.repeat(200)], 'The text'],
    [['post', 'note', LONG.repeat(700)], 'The content'],
    [['post', 'note', '--content', LONG.repeat(700)], '--content'],
    [['post', 'note', 'x', '--title', LONG], '--title'],
    [['post', 'todo', LONG], 'The title'],
    [['post', 'todo', 'x', '--content', LONG.repeat(700)], '--content'],
    [['post', 'x', '--run-marker', LONG], '--run-marker'],
    [['post', 'todo', 'x', '--due', NO_DAY], '--due'],
    [
      ['keys', 'issue', '--hub', 'Releases', '--scopes', 'notes', '--name', 'x', '--expires-at', NO_DAY],
      '--expires-at',
    ],
    [['keys', 'rotate', 'robot', '--expires-at', NO_DAY], '--expires-at'],
    [['keys', 'replace', 'robot', '--expires-at', NO_DAY], '--expires-at'],
    [['keys', 'remove-posts', 'robot', '--preview', '--from', NO_DAY], '--from'],
    [['keys', 'remove-posts', 'robot', '--preview', '--to', NO_DAY], '--to'],
    [['tail', 'Releases', '--since', NO_DAY], '--since'],
  ];
  test.each(cases.map(([line, option]) => [line.join(' ').replaceAll(/x{9,}/g, 'x…'), option, line] as const))(
    '%s → %s',
    async (_, option, line) => {
      const { code, exitCode, message } = await failureOf(line, { stdin: 'a password of Ada' });
      expect([code, exitCode]).toEqual(['usage', 2]);
      expect(message).toMatch(new RegExp(`^(Invalid )?${option} `));
    },
  );
});

test.each(['backup', 'hubs export Releases', 'keys rotate robot --out'])(
  'an existing output file causes exit code 2: %s',
  async (line) => {
    const there = folder.file('there');
    const { exitCode, message } = await failureOf([...line.split(' '), there]);
    expect([exitCode, message]).toEqual([2, expect.stringContaining(`${there} already exists.`)]);
  },
);

describe('invalid input or an unusable file', () => {
  const nowhere = '/nonexistent/file';
  const there = folder.file('there');
  const cases: [line: string[], input: string, message: string][] = [
    [['post'], '', 'The text is empty: standard input has no text.'],
    [['post', 'note'], ' \n', 'The content is empty: standard input has no text.'],
    [['post'], LONG.repeat(200), 'The text has 60000 characters'],
    [['post', 'todo'], LONG, 'The title has 300 characters'],
    [['post', '--file', nowhere], '', `Cannot read ${nowhere}: no such file.`],
    [['post', '--file', folder.file('folder')], '', 'it is a directory.'],
    [['post', '--blocks', there], '', `--blocks: ${there} is not JSON`],
    [['post', 'x', '--key-file', nowhere], '', `Cannot read ${nowhere}: no such file.`],
    [['post', 'x', '--key-stdin'], '', 'No API key: standard input is empty.'],
    [['users', 'create', '--email', 'a@example.org', '--name', 'A', '--password-stdin'], '', 'standard input is empty'],
    [['users', 'create', '--email', 'a@example.org', '--name', 'A', '--password-stdin'], 'short', 'The password has 5'],
    [['login', 'http://127.0.0.1:9', '--token-stdin'], '', 'standard input is empty'],
    [['restore', nowhere, '--data-dir', folder.file('new')], '', `Cannot read ${nowhere}`],
    [['restore', folder.file('folder'), '--data-dir', folder.file('new')], '', 'is not a file.'],
    [['backup', nowhere], '', `Cannot write ${nowhere}: its directory does not exist.`],
    [['hubs', 'export', 'Releases', nowhere], '', `Cannot write ${nowhere}: its directory does not exist.`],
    [['keys', 'rotate', 'robot', '--out', nowhere], '', `Cannot write ${nowhere}: its directory does not exist.`],
  ];
  test.each(cases.map(([line, input, message]) => [line.join(' '), input.slice(0, 9), message, line, input] as const))(
    'causes exit code 1 for %s with "%s" on standard input: %s',
    async (_line, _input, message, line, input) => {
      const error = await failureOf(line, { stdin: input });
      expect(error.exitCode).toBe(1);
      expect(error.message).toContain(message);
      expect(JSON.stringify(error)).not.toMatch(/\bE[A-Z]{4,}\b/);
    },
  );

  test('causes exit code 1 if a name at a prompt is too long', async () => {
    const ran = await on.hubctl(['hubs', 'create'], { responses: [LONG] });
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('error: The name has 300 characters') });
  });

  test('causes exit code 1 and a readable reason if the profiles cannot be accessed', async () => {
    const env = { HOME: '/nonexistent', XDG_CONFIG_HOME: there };
    for (const line of [['profiles'], ['whoami', '--profile', 'x']]) {
      const error = await failureOf(line, { env });
      expect(error).toMatchObject({
        exitCode: 1,
        message: expect.stringContaining('part of its path is not a directory'),
      });
    }
  });
});
