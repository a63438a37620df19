import { expect, test } from 'bun:test';
import { commandName } from './command-name.ts';

test('the next command is told as this one was called', () => {
  expect(commandName({})).toBe('hubctl');
  expect(commandName({ npm_lifecycle_event: 'hubctl', PATH: '/usr/bin' })).toBe('bun run hubctl');
  const npx = 'npx --yes --allow-scripts=bun bun@1.4.5 run hubctl';
  expect(commandName({ npm_lifecycle_event: 'hubctl', PATH: '/home/a/.npm/_npx/1/node_modules/.bin' })).toBe(npx);
  expect(commandName({ npm_lifecycle_event: 'hubctl', npm_config_user_agent: 'npm/11.0.0 node/v20' })).toBe(npx);
});
