import { describe, expect, test } from 'bun:test';
import { buildToken, KEY_PREFIX } from '@hub/contract/key-token';
import { runHubctl } from '@hub/testkit/cli/run-hubctl';
import { commandName } from './output.ts';

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
});
