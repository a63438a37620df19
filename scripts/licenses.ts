import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildVersion } from './build-version.ts';

/** Something that a program contains, as CycloneDX 1.6 lists it. */
export interface Component {
  readonly type: 'library';
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly [{ readonly license: { name: string; text: { content: string } } }];
}

/** The files of a package with the texts that its license requires to pass on. */
const TEXTS = new Bun.Glob('{LICEN[CS]E,[Ll]icen[cs]e,NOTICE}*');

export function component(name: string, version: string, license: string, content: string): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type: 'library', name, version, purl, licenses: [{ license: { name: license, text: { content } } }] };
}

/** Every executable contains Bun. */
export const BUN = component(
  'bun',
  Bun.version,
  'MIT and others',
  'Copyright (c) Oven and contributors. Bun links JavaScriptCore (LGPL 2) and other libraries statically. Their\n' +
    'licenses, and how to link it with another JavaScriptCore, are at https://bun.com/docs/project/licensing.',
);

/** Returns the packages that the files of a bundle come from. `inputs`: their paths, from its metafile. */
export function componentsOf(inputs: readonly string[]): Component[] {
  const folders = inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const components = [...new Set(folders)].map((folder) => {
    const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const files = [...TEXTS.scanSync({ cwd: folder })].sort();
    const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
    const without = `Copyright (c) ${author?.name ?? author}. Another package here has the text of this license.`;
    return component(name, version, license, texts.join('\n\n') || without);
  });
  return ordered(components);
}

/** Returns each component once, in an order that does not depend on that in which a bundler finished its files. */
function ordered(components: readonly Component[]): Component[] {
  const byPurl = new Map(components.map((each) => [each.purl, each]));
  return [...byPurl.keys()].sort().flatMap((purl) => byPurl.get(purl) ?? []);
}

/** Returns the license texts of all components. */
export function licenseNotices(components: readonly Component[]): string {
  const notices = ordered(components).map(
    ({ name, version, licenses: [{ license }] }) => `${name} ${version} (${license.name})\n\n${license.text.content}\n`,
  );
  return notices.join(`\n${'-'.repeat(80)}\n\n`);
}

/** Writes the license notices of a program and its bill of materials, `NAME.licenses.txt` and `NAME.sbom.json`. */
export async function describeProgram(path: string, components: readonly Component[]): Promise<void> {
  const root = join(import.meta.dir, '..');
  const [name, folder] = [/(\w+)[^/]*$/.exec(path)?.[1] ?? '', dirname(path)];
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { type: 'application', name, version: buildVersion(root) } },
    components: ordered(components),
  };
  await Bun.write(join(folder, `${name}.sbom.json`), `${JSON.stringify(bom, null, 2)}\n`);
  await Bun.write(join(folder, `${name}.licenses.txt`), licenseNotices(components));
}
