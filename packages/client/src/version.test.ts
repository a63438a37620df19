import { expect, test } from 'bun:test';
import packageJson from '../package.json' with { type: 'json' };
import { VERSION } from './version.ts';

test('VERSION matches package.json', () => {
  expect(VERSION).toBe(packageJson.version);
});
