import { describe, expect, test } from 'bun:test';
import type { Command } from 'commander';
import { buildProgram } from './program.ts';
import { Cli } from './runtime/cli.ts';
import type { Deps } from './runtime/deps.ts';
import { commandPath } from './runtime/help.ts';
import { errorOf, runHubctl } from './testing/run-hubctl.ts';
import { startScriptedServer } from './testing/scripted-server.ts';

const sink = { isTTY: false, columns: undefined, write: () => {} };
const program = buildProgram(
  new Cli({ version: '0', env: {}, stdout: sink, stderr: sink } as unknown as Deps, { json: false, color: false }),
);
const leaves = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves);

test('the help shows global options once, and that of a command refers to it', async () => {
  expect((await runHubctl(['--help'])).stdout).toContain('--profile <profile>');
  for (const argv of [['hubs', 'list'], ['keys'], ['post', 'note'], ['outbox', 'flush']]) {
    expect((await runHubctl([...argv, '--help'])).stdout).not.toContain('--data-dir <dir>');
  }
  expect((await runHubctl(['hubs', 'list', '--help'])).stdout).toEndWith('Global options:\n  See: hubctl --help\n');
});

describe('wrong usage', () => {
  test('causes exit code 2 and a suggestion of the nearest command or option for an unknown one', async () => {
    for (const [argv, nearest] of [
      [['hbus'], 'Did you mean hubs?'],
      [['keys', 'isue'], 'Did you mean issue?'],
      [['keys', 'issue', '--scope', 'x'], 'Did you mean --scopes?'],
      [['post', 'x', '--soft-fial'], 'Did you mean --soft-fail?'],
      [['keys', 'list', '--jsn'], 'Did you mean --json?'],
    ] as const) {
      const ran = await runHubctl([...argv]);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toContain(nearest);
    }
  });

  test('causes exit code 2 and a reference to the help of the command', async () => {
    expect((await runHubctl(['keys', 'issue', '--bad'])).stderr).toContain('See: hubctl keys issue --help');
    expect((await runHubctl(['nothing'])).stderr).toContain('See: hubctl --help');
    expect((await runHubctl(['post', 'x', '--bad'])).stderr).toContain('See: hubctl post message --help');
  });

  test('causes exit code 2 and a hint on how to pass text that looks like an option or has no quotes', async () => {
    expect((await runHubctl(['post', '- fixed the door'])).stderr).toContain('hubctl post message -- TEXT');
    expect((await runHubctl(['post', 'fixed', 'the', 'door'])).stderr).toContain('Quote text');
    expect((await runHubctl(['post', '--txt', 'x'])).stderr).toContain('hubctl post message --file FILE');
  });

  test('causes exit code 2 and one hint if there are too many arguments', async () => {
    const { stderr } = await runHubctl(['hubs', 'rename', 'a', 'b', 'c']);
    expect(stderr.trimEnd().split('\n')).toEqual([
      "error: too many arguments for 'rename'. Expected 2 arguments but got 3.",
      'See: hubctl hubs rename --help',
    ]);
  });

  test('causes exit code 2 and a list of the allowed values for an invalid value', async () => {
    const errorLine = async (...argv: string[]) => (await runHubctl(argv)).stderr.split('\n')[0];
    const roles = 'Use one of: owner, admin, member.';
    expect(await errorLine('users', 'role', 'ada', 'boss')).toBe(`error: Unknown role "boss". ${roles}`);
    expect(await errorLine('users', 'create', '--role', 'boss')).toBe(
      `error: Invalid value "boss" for --role. ${roles}`,
    );
    expect(await errorLine('completion', 'csh')).toBe('error: Unknown shell "csh". Use one of: bash, zsh, fish.');
  });

  test('causes exit code 2 and no request if an argument is blank', async () => {
    for (const argv of [
      ['hubs', 'create', ''],
      ['hubs', 'rename', 'Releases', ' '],
      ['keys', 'show', ''],
      ['tail', 'Releases', ''],
    ]) {
      const ran = await runHubctl(argv, { env: { HUB_DATA_DIR: '/nonexistent' } });
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('is empty.') });
    }
  });

  test('causes exit code 2 and a hint to add https:// if a URL has no scheme', async () => {
    for (const address of ['127.0.0.1:41021', 'localhost:3000', 'hub.example.com']) {
      const ran = await runHubctl(['login', address], { env: { HOME: '/nonexistent' } });
      expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('must start with https:// or http://') });
    }
  });

  test('causes exit code 2 and an error without the unexpected value, which may be a password', async () => {
    const url = 'http://127.0.0.1:9';
    for (const [argv, message] of [
      [['login', url, '--password=correct horse'], "unknown option '--password'"],
      [['login', url, '--tokn-stdin=correct horse'], "unknown option '--tokn-stdin'"],
      [['login', url, '--password-stdin', 'correct horse'], 'Expected 1 argument but got 2.'],
      [['users', 'create', '--password-stdin', 'correct horse'], 'Expected 0 arguments but got 1.'],
    ] as const) {
      for (const json of [[], ['--json']]) {
        const ran = await runHubctl([...argv, ...json]);
        expect(ran.code).toBe(2);
        expect(ran.stdout + ran.stderr).toContain(message);
        expect(ran.stdout + ran.stderr).not.toContain('horse');
      }
    }
  });

  test('causes exit code 2 and one JSON document with --json in any position', async () => {
    for (const argv of [
      ['hubs', '--json'],
      ['--json', 'hbus'],
      ['hubs', 'list', '--bad', '--json'],
      ['keys', 'list', '--state', 'x', '--json'],
      ['completion', '--json'],
      ['hubs', 'rename', 'a', 'b', 'c', '--json'],
    ]) {
      const ran = await runHubctl(argv);
      expect(ran).toMatchObject({ code: 2, stderr: '' });
      expect(errorOf(ran)).toMatchObject({ code: 'usage', exitCode: 2, message: expect.any(String) });
    }
  });

  test('causes exit code 2 and help on standard error if the subcommand is missing', async () => {
    for (const argv of [[], ['keys'], ['hubs']]) {
      const ran = await runHubctl(argv);
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toStartWith('Usage: hubctl');
    }
  });
});

describe('a blank option value causes exit code 2:', () => {
  for (const command of leaves(program)) {
    for (const option of [...program.options, ...command.options].filter(({ required }) => required)) {
      const path = commandPath(command);
      test(`${path} ${option.long}`, async () => {
        for (const blank of ['', ' \t']) {
          const text = command.registeredArguments.map((argument) => argument.argChoices?.[0] ?? 'x');
          const argv = [...path.split(' ').slice(1), ...text, `${option.long}=${blank}`, '--json'];
          const ran = await runHubctl(argv, { env: { HUB_DATA_DIR: '/nonexistent' } });
          expect(ran.code).toBe(2);
          expect(errorOf(ran)).toMatchObject({ code: 'usage', message: expect.stringContaining(option.long ?? '?') });
        }
      });
    }
  }
});

describe('help and version exit with 0:', () => {
  for (const command of leaves(program)) {
    const path = commandPath(command);
    test(`${path} --help describes output, exit codes and examples`, async () => {
      const ran = await runHubctl([...path.split(' ').slice(1), '--help']);
      expect(ran.code).toBe(0);
      for (const title of ['Usage:', 'Output:', 'Exit codes:', 'Examples:', '--json'])
        expect(ran.stdout).toContain(title);
    });
  }

  test('help wraps between words on a narrow terminal, except for examples', async () => {
    for (const command of leaves(program)) {
      const argv = [...commandPath(command).split(' ').slice(1), '--help'];
      const [narrow = '', examples] = (await runHubctl(argv, { columns: 60 })).stdout.split('Examples:');
      expect(narrow.split('\n').filter((line) => line.length > 60)).toEqual([]);
      expect(examples).toBe((await runHubctl(argv, { columns: 200 })).stdout.split('Examples:')[1]);
    }
  });

  test('help accepts groups and their commands', async () => {
    expect((await runHubctl(['help', 'keys'])).stdout).toContain('rotate');
    expect((await runHubctl(['keys', 'help', 'issue'])).stdout).toContain('--scopes');
    expect((await runHubctl(['post', '--help'])).stdout).toContain('post TEXT');
  });

  test('--version prints one line, or a JSON document', async () => {
    for (const flag of ['--version', '-V'])
      expect(await runHubctl([flag])).toMatchObject({ code: 0, stdout: '0.0.0-test\n' });
    expect((await runHubctl(['--version', '--json'])).json()).toEqual({ version: '0.0.0-test' });
    expect((await runHubctl(['--json', '--help'])).json().help).toContain('Usage:');
  });
});

describe('colors', () => {
  const isColored = async (argv: string[], options: Parameters<typeof runHubctl>[1]) =>
    (await runHubctl(['status', ...argv, '--data-dir', '/nonexistent'], options)).stderr.includes('\x1b[');

  test('are used only in a terminal', async () => {
    expect(await isColored([], { columns: 80, env: { NO_COLOR: '' } })).toBe(true);
    expect(await isColored([], { env: { NO_COLOR: '' } })).toBe(false);
  });

  test('respect NO_COLOR, --no-color, TERM=dumb and FORCE_COLOR', async () => {
    expect(await isColored([], { columns: 80, env: { NO_COLOR: '1' } })).toBe(false);
    expect(await isColored(['--no-color'], { columns: 80, env: { NO_COLOR: '' } })).toBe(false);
    expect(await isColored([], { columns: 80, env: { NO_COLOR: '', TERM: 'dumb' } })).toBe(false);
    expect(await isColored([], { env: { NO_COLOR: '', FORCE_COLOR: '1' } })).toBe(true);
  });
});

test('JSON is one line in a pipe, and indented in a terminal', async () => {
  await using server = startScriptedServer(() => Response.json({ items: [], next: null }));
  const argv = ['hubs', 'list', '--json', '--data-dir', server.dataDir];
  expect((await runHubctl(argv)).stdout).toBe('{"items":[]}\n');
  expect((await runHubctl(argv, { columns: 80 })).stdout).toBe('{\n  "items": []\n}\n');
});

test('an internal error causes exit code 1 and the error code "internal"', async () => {
  const fetch = () => Promise.resolve({ ok: true, text: () => Promise.resolve('{"items": 7}') } as unknown as Response);
  const ran = await runHubctl(['hubs', 'list', '--json'], { fetch });
  expect(ran.code).toBe(1);
  expect(errorOf(ran).code).toBe('internal');
});

test('standard error wraps between words in a terminal, but not in a file', async () => {
  const env = { HUB_DATA_DIR: '/nonexistent' };
  const whole = (await runHubctl(['status'], { env })).stderr;
  const broken = (await runHubctl(['status'], { env, columns: 40 })).stderr;
  const prose = broken.split('\n').filter((line) => !line.includes('/nonexistent') && !line.includes('hubctl '));
  expect(Math.max(...prose.map((line) => line.length))).toBeLessThanOrEqual(40);
  expect(broken.replaceAll(/\s+/g, ' ')).toBe(whole.replaceAll(/\s+/g, ' '));
  expect(whole.split('\n').length).toBeLessThan(broken.split('\n').length);
});
