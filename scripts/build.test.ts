import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { version } from '../apps/api/package.json';
import { billOfMaterials } from './bill-of-materials.ts';
import { buildVersion, packageVersion } from './build-version.ts';

test('the bill of materials lists what the programs contain, with licences, and no tools', async () => {
  const bill = await billOfMaterials(resolve(import.meta.dir, '..'), '1.2.3');
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'hub', version: '1.2.3' } } });
  const { components } = bill as { components: { name: string; purl?: string; licenses?: object[] }[] };
  const [runtime, ...packages] = components;
  expect(runtime).toMatchObject({ name: 'bun', version: Bun.version });
  expect(packages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['elysia', 'chalk', 'preact', 'lucide-static']),
  );
  expect(packages.find(({ name }) => name === '@elysiajs/bearer')?.purl).toBe('pkg:npm/%40elysiajs/bearer@1.4.4');
  expect(packages.filter(({ licenses }) => licenses === undefined)).toEqual([]);
  expect(packages.map(({ name }) => name)).not.toContain('typescript');
});

test('the version of a build names the commit, unless the commit has the tag of the version', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hub-version-'));
  const git = (...argv: string[]) =>
    Bun.spawnSync(['git', '-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...argv]);
  try {
    expect(buildVersion(folder)).toBe(version);
    git('init');
    writeFileSync(join(folder, 'file'), 'one');
    git('add', '.');
    git('commit', '-m', 'One');
    expect(buildVersion(folder)).toMatch(new RegExp(`^${version}\\+[0-9a-f]{7,}$`));
    git('tag', `v${version}`);
    expect(buildVersion(folder)).toBe(version);
    writeFileSync(join(folder, 'file'), 'two');
    expect(buildVersion(folder)).toMatch(/\+[0-9a-f]{7,}\.dirty$/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('the version of a package is the tagged version, or a pre-release that names the commit', () => {
  const versions = ['0.1.0', '0.1.0+0123456', '0.1.0+b0c3f6c2.dirty'].map(packageVersion);
  expect(versions).toEqual(['0.1.0', '0.1.0-dev.g0123456', '0.1.0-dev.gb0c3f6c2.dirty']);
  expect(versions.map((version) => Bun.semver.satisfies(version, '>=0.1.0-a <=0.1.0'))).toEqual([true, true, true]);
});
