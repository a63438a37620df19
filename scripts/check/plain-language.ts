/** `bun scripts/check/plain-language.ts [PATH…]`: lists all words that read like a translation, with better ones. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import allowed from './plain-language-allowed.json';
import { ALLOWED_NAMES, TERMS } from './plain-language-terms.ts';
import { repositoryFiles } from './repository-files.ts';

interface Finding {
  path: string;
  /** 0: the path itself. */
  line: number;
  found: string;
  use: string;
}

const READ = /\.(ts|tsx|css|html|md|grit|sh|yml)$|^(package|biome)\.json$|^\.ci\/run$/;
/** They consist of what they forbid. */
const TABLES = /^scripts\/check\/plain-language/;
/** A comment, a string or a regular expression. A quote that its line does not close is an apostrophe. */
const NOT_CODE =
  /\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|(?<=[(,=:[!&|?;{}>\n]\s*)\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;
const NAME = /[A-Za-z_$][\w$]*(?:-[A-Za-z\d_$]+)*/g;

/** Every use of a banned term in the paths and texts of these files. */
export function plainLanguageFindings(files: readonly string[], read: (path: string) => string): Finding[] {
  return files
    .filter((path) => READ.test(path) && !TABLES.test(path))
    .flatMap((path) => {
      const inPath = path.split('/').flatMap((name) => termsOfName(name.replace(/\..*$/, '')));
      return [...inPath.map((hit) => ({ path, line: 0, ...hit })), ...findingsInText(path, read(path))];
    });
}

function findingsInText(path: string, text: string): Finding[] {
  const isMarkdown = path.endsWith('.md');
  const code = isMarkdown ? [] : text.replace(NOT_CODE, (match) => match.replace(/[^\n]/g, ' ')).split('\n');
  return text.split('\n').flatMap((line, index) => {
    const names = new Set(code[index]?.match(NAME));
    // Elsewhere only what cannot be a word of a sentence counts as a name: `keys-scene`, `fieldFault`.
    for (const name of line.match(NAME) ?? []) if (/[a-z\d][A-Z]|_|-/.test(name)) names.add(name);
    const hits = [...names].flatMap(termsOfName);
    for (const { text: pattern, use } of TERMS) {
      const found = pattern?.exec(line)?.[0];
      if (found !== undefined) hits.push({ found: found.trim(), use });
    }
    return hits.map((hit) => ({ path, line: index + 1, ...hit }));
  });
}

function termsOfName(name: string): { found: string; use: string }[] {
  if (ALLOWED_NAMES.has(name) || ALLOWED_NAMES.has(name.charAt(0).toLowerCase() + name.slice(1))) return [];
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[^A-Za-z\d]+/g, ' ')
    .trim()
    .toLowerCase();
  return TERMS.filter((term) => term.name?.test(words)).map(({ use }) => ({ found: name, use }));
}

/** The areas in which there are more findings than `plain-language-allowed.json` allows; its numbers only go down. */
export function plainLanguageProblems(
  files: readonly string[],
  read: (path: string) => string,
  limits: Readonly<Record<string, number>> = allowed,
): string[] {
  const byArea = Map.groupBy(plainLanguageFindings(files, read), ({ path }) => areaOf(path));
  return [...byArea]
    .filter(([area, findings]) => findings.length > (limits[area] ?? 0))
    .flatMap(([area, findings]) => [
      `${area}: ${findings.length} findings, at most ${limits[area] ?? 0} allowed`,
      ...findings.map(describe),
    ]);
}

function describe({ path, line, found, use }: Finding): string {
  return `${path}${line === 0 ? '' : `:${line}`}: "${found}" → ${use}`;
}

/** `apps/web/src/a.ts` is in `apps/web`, `docs/a.md` in `docs`, and `README.md` is an area. */
function areaOf(path: string): string {
  const [top = '', next = ''] = path.split('/');
  return top === 'apps' || top === 'packages' ? `${top}/${next}` : top;
}

if (import.meta.main) {
  const root = resolve(import.meta.dir, '../..');
  const wanted = process.argv.slice(2);
  const files = repositoryFiles(root).filter(
    (path) => wanted.length === 0 || wanted.some((start) => path.startsWith(start)),
  );
  const findings = plainLanguageFindings(files, (path) => readFileSync(join(root, path), 'utf8'));
  for (const finding of findings) console.log(describe(finding));
  const counts = Map.groupBy(findings, ({ path }) => areaOf(path));
  console.log(JSON.stringify(Object.fromEntries([...counts].map(([area, { length }]) => [area, length])), null, 2));
}
