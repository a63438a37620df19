import { describe, expect, test } from 'bun:test';
import { formToken, KEY_PREFIX } from '@hub/contract/key-token';
import { buildProgram } from '../program.ts';
import { runHubctl } from '../testing/run-hubctl.ts';
import { Cli } from './cli.ts';
import { commandName, typeable } from './command-name.ts';
import type { Deps } from './deps.ts';

test('the next command is told as this one was called', () => {
  expect(commandName({})).toBe('hubctl');
  expect(commandName({ npm_lifecycle_event: 'hubctl', PATH: '/usr/bin' })).toBe('bun run hubctl');
  const npx = 'npx --yes --allow-scripts=bun bun@1.4.5 run hubctl';
  expect(commandName({ npm_lifecycle_event: 'hubctl', PATH: '/home/a/.npm/_npx/1/node_modules/.bin' })).toBe(npx);
  expect(commandName({ npm_lifecycle_event: 'hubctl', npm_config_user_agent: 'npm/11.0.0 node/v20' })).toBe(npx);
});

describe('in the repository', () => {
  const env = { npm_lifecycle_event: 'hubctl', PATH: '/usr/bin' };
  const away = ['--data-dir', '/nonexistent'];

  for (const [argv, advice] of [
    [['hubs', 'create'], 'The Hub needs a name: bun run hubctl hubs create NAME'],
    [['keys', 'isue'], 'See: bun run hubctl keys --help'],
    [['nothing'], 'See: bun run hubctl --help'],
    [['post', '-x'], ': bun run hubctl post message -- TEXT'],
    [['keys', 'show', formToken(KEY_PREFIX, 'e1'.repeat(17))], '(bun run hubctl keys replace)'],
  ] as const) {
    test(`what ${argv.slice(0, 2).join(' ')} leads to as advice can be typed as it stands`, async () => {
      expect((await runHubctl([...argv, ...away], { env })).stderr).toContain(advice);
    });
  }

  test('programs and help pages get the plain name', async () => {
    expect((await runHubctl(['hubs', 'create', '--json'], { env })).stdout).toContain(': hubctl hubs create NAME');
    expect((await runHubctl(['hubs', 'create', '--help'], { env })).stdout).toContain('  hubctl hubs create Releases');
    expect((await runHubctl(['hubs'], { env })).stderr).toStartWith('Usage: hubctl hubs');
  });

  test('a sentence about hubctl, and a path that ends in it, stay as they are', () => {
    for (const text of [
      'hubctl met a fault of its own',
      'dist/hubctl post x',
      'Check that hubctl and the server agree',
    ])
      expect(typeable(text, env)).toBe(text);
    expect(typeable('sudo hubctl --data-dir /d …', env)).toBe('sudo bun run hubctl --data-dir /d …');
  });
});

test('every command of the program counts as the beginning of one', () => {
  const env = { npm_lifecycle_event: 'hubctl', PATH: '/usr/bin' };
  const sink = { isTTY: false, columns: undefined, write: () => {} };
  const deps = { version: '0', env: {}, stdout: sink, stderr: sink } as unknown as Deps;
  const names = buildProgram(new Cli(deps, { json: false, color: false })).commands.map((command) => command.name());
  expect(names.length).toBeGreaterThan(8);
  for (const name of names) expect(typeable(`hubctl ${name} x`, env)).toBe(`bun run hubctl ${name} x`);
  expect(typeable('hubctl usersomething', env)).toBe('hubctl usersomething');
});
