import { describe, expect, test } from 'bun:test';
import { buildToken, KEY_PREFIX } from '@hub/contract/key-token';
import { buildProgram } from '../program.ts';
import { runHubctl } from '../testing/run-hubctl.ts';
import { Cli } from './cli.ts';
import type { Deps } from './deps.ts';
import { commandName, Output, typeable } from './output.ts';

test('suggested commands call hubctl the same way the user did', () => {
  expect(commandName({})).toBe('hubctl');
  expect(commandName({ npm_lifecycle_event: 'hubctl', PATH: '/usr/bin' })).toBe('bun run hubctl');
  const npx = 'npx --yes --allow-scripts=bun bun@1.4.5 run hubctl';
  expect(commandName({ npm_lifecycle_event: 'hubctl', PATH: '/home/a/.npm/_npx/1/node_modules/.bin' })).toBe(npx);
  expect(commandName({ npm_lifecycle_event: 'hubctl', npm_config_user_agent: 'npm/11.0.0 node/v20' })).toBe(npx);
});

describe('hubctl in the repository', () => {
  const env = { npm_lifecycle_event: 'hubctl', PATH: '/usr/bin' };
  const away = ['--data-dir', '/nonexistent'];

  for (const [argv, advice] of [
    [['hubs', 'create'], 'Specify a name: bun run hubctl hubs create NAME'],
    [['keys', 'isue'], 'See: bun run hubctl keys --help'],
    [['nothing'], 'See: bun run hubctl --help'],
    [['post', '-x'], ': bun run hubctl post message -- TEXT'],
    [['keys', 'show', buildToken(KEY_PREFIX, 'e1'.repeat(17))], ': bun run hubctl keys replace --key-stdin'],
  ] as const) {
    test(`gives advice that can be copied for: ${argv.slice(0, 2).join(' ')}`, async () => {
      expect((await runHubctl([...argv, ...away], { env })).stderr).toContain(advice);
    });
  }

  test('uses the plain name hubctl in JSON and help pages', async () => {
    expect((await runHubctl(['hubs', 'create', '--json'], { env })).stdout).toContain(': hubctl hubs create NAME');
    expect((await runHubctl(['hubs', 'create', '--help'], { env })).stdout).toContain('  hubctl hubs create Releases');
    expect((await runHubctl(['hubs'], { env })).stderr).toStartWith('Usage: hubctl hubs');
  });

  test('names commands in sentences without the launcher', async () => {
    const line = (text: string) => expect.stringContaining(`${text}\n`);
    const tooMany = await runHubctl(['post', 'messge', 'hi', ...away], { env });
    expect(tooMany.stderr).toEqual(line('Too many arguments for `hubctl post message`: expected at most 1, got 2.'));
    expect(tooMany.stderr).toEqual(line('Did you mean `hubctl post message`?'));
    expect(tooMany.stderr).toEqual(line('See: bun run hubctl post message --help'));
    expect((await runHubctl(['post', 'help', ...away], { env })).stderr).toStartWith(
      'error: `hubctl post help` is ambiguous.\nFor help: bun run hubctl post --help',
    );
  });

  test('keeps the plain name in sentences and paths', () => {
    for (const text of [
      'hubctl has failed unexpectedly',
      'dist/hubctl post x',
      'Too many arguments for `hubctl post message`',
      'Check that hubctl and the server agree',
    ])
      expect(typeable(text, env)).toBe(text);
    expect(typeable('sudo hubctl --data-dir /d …', env)).toBe('sudo bun run hubctl --data-dir /d …');
  });
});

test('typeable recognizes every command', () => {
  const env = { npm_lifecycle_event: 'hubctl', PATH: '/usr/bin' };
  const sink = { isTTY: false, columns: undefined, write: () => {} };
  const deps = { version: '0', env: {}, stdout: sink, stderr: sink } as unknown as Deps;
  const names = buildProgram(new Cli(deps, { json: false, color: false })).commands.map((command) => command.name());
  expect(names.length).toBeGreaterThan(8);
  for (const name of names) expect(typeable(`hubctl ${name} x`, env)).toBe(`bun run hubctl ${name} x`);
  expect(typeable('hubctl usersomething', env)).toBe('hubctl usersomething');
});

test('the result of a command is wrapped between words in a terminal, and a wider word stays whole', () => {
  const printed = (columns: number | undefined, ...words: string[]) => {
    let text = '';
    const write = (more: string) => {
      text += more;
    };
    const sink = { isTTY: columns !== undefined, columns, write, drained: () => Promise.resolve(), problem: undefined };
    new Output({ env: {}, stdout: sink, stderr: sink }, { json: false, color: false }).result({}, words.join(' '));
    return text;
  };
  expect(printed(20, 'Exported Hub Releases to x.json')).toBe('Exported Hub\nReleases to x.json\n');
  expect(printed(20, 'Exported to', '/srv/exports/releases.json')).toBe('Exported to /srv/exports/releases.json\n');
  expect(printed(undefined, 'Exported Hub Releases to x.json')).toBe('Exported Hub Releases to x.json\n');
});
