import { expect, test } from 'bun:test';
import packageJson from '../package.json' with { type: 'json' };
import { VERSION } from './version.ts';

test('the client tells the version of its package', () => {
  expect(VERSION).toBe(packageJson.version);
});
