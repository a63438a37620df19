/**
 * Makes src/workspace/users/confusables.txt from the data of Unicode Technical Standard 39, version 17.0.0
 * (https://www.unicode.org/Public/17.0.0/security/confusables.txt):
 * `bun apps/api/make-confusables.ts …/confusables.txt`.
 */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const [source = ''] = Bun.argv.slice(2);
const data = readFileSync(source, 'utf8').replace(/^\ufeff/, '');
const [, version] = /^# Version: ([\d.]+)$/m.exec(data) ?? [];
const text = (codes: string) =>
  String.fromCodePoint(
    ...codes
      .trim()
      .split(' ')
      .map((code) => Number.parseInt(code, 16)),
  );

const charactersOf = new Map<string, string>();
for (const [, from = '', to = ''] of data.matchAll(/^([0-9A-F]+) ;\t([0-9A-F ]+) ;\tMA\t/gm)) {
  const character = text(from);
  // Names are compared in the forms NFKC and NFD, which do not contain the others.
  if (character.normalize('NFKC') !== character || character.normalize('NFD') !== character) continue;
  charactersOf.set(text(to), (charactersOf.get(text(to)) ?? '') + character);
}

const path = resolve(import.meta.dir, 'src/workspace/users/confusables.txt');
// The comment with the license stays.
const head = readFileSync(path, 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('#'))
  .join('\n')
  .replace(/(?<= of Unicode )[\d.]+/, version ?? '');
const lines = [...charactersOf].map(([target, characters]) => `${target}\t${characters}\n`);
await Bun.write(path, `${head}\n${lines.join('')}`);
