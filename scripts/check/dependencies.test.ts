import { describe, expect, test } from 'bun:test';
import { dependencyProblems } from './dependencies.ts';

const sound = {
  'package.json': { packageManager: 'bun@1.4.5', devDependencies: { 'bun-types': '1.4.5' } },
  'apps/a/package.json': { dependencies: { elysia: '1.0.0', '@hub/contract': 'workspace:*' } },
  'docs/dependencies.md': '| `elysia` | routes | MIT |\n| `bun-types`, `x` | types | MIT |\n',
  'apps/b/package.json': { dependencies: { x: '1.0.0' } },
};

function problems(files: Record<string, object | string>): string[] {
  const all: Record<string, object | string> = { ...sound, ...files };
  const read = (path: string): string => (typeof all[path] === 'string' ? all[path] : JSON.stringify(all[path]));
  return dependencyProblems(Object.keys(all), read);
}

describe('dependencies', () => {
  test('accepts exact versions and a single version of Bun, without registry addresses', () => {
    expect(problems({ 'README.md': 'npx bun@1.4.5 run start', 'bun.lock': '{}' })).toEqual([]);
  });

  test.each([
    [
      'a range',
      { 'apps/b/package.json': { dependencies: { x: '^1.0.0' } } },
      'apps/b/package.json: x ^1.0.0 is not an exact version',
    ],
    [
      'two versions of one package',
      { 'b/package.json': { devDependencies: { elysia: '2.0.0' } } },
      'b/package.json: elysia is 2.0.0, but 1.0.0 in apps/a/package.json',
    ],
    [
      'a package without a line in the page',
      { 'b/package.json': { dependencies: { y: '1.0.0' } } },
      'docs/dependencies.md: does not name y',
    ],
    [
      'a line for a package that is gone',
      { 'apps/b/package.json': {} },
      'docs/dependencies.md: names x, which no package.json has',
    ],
    [
      'another Bun in a document',
      { 'README.md': 'npx bun@1.3.0 run start' },
      'README.md: names bun@1.3.0, but package.json bun@1.4.5',
    ],
    [
      'types of another Bun',
      { 'package.json': { packageManager: 'bun@1.4.5', devDependencies: { 'bun-types': '1.4.4' } } },
      'package.json: bun-types is 1.4.4, but Bun 1.4.5',
    ],
    [
      'the host of a registry in the lock file',
      { 'bun.lock': '"x": ["x@1.0.0", "https://registry.invalid/x.tgz"]' },
      'bun.lock: contains an address: https://registry.invalid/x.tgz',
    ],
    [
      'a registry in the configuration',
      { 'bunfig.toml': '[install]\nregistry = "registry.invalid"' },
      'bunfig.toml: contains an address: registry = "registry.invalid"',
    ],
  ])('reports %s', (_, files, problem) => {
    expect(problems(files)).toEqual([problem]);
  });
});
