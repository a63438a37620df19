/**
 * `bun scripts/check/plain-language.ts [PATH…]`: lists all words that read like a translation, and suggests better
 * ones.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ALLOWED_NAMES, TERMS } from './plain-language-terms.ts';
import { repositoryFiles } from './repository-files.ts';

interface Finding {
  path: string;
  /** 0 if the finding is in the path itself. */
  line: number;
  found: string;
  use: string;
}

const READ = /\.(ts|tsx|css|html|md|grit|sh|yml)$|^(package|biome)\.json$|^\.ci\/run$/;
/** Files that contain the banned words because they define them. */
/** The tables of terms, and a configuration in GitLab's words. */
const SKIPPED = /^scripts\/check\/plain-language|^ops\/ci\/gitlab/;
/** A comment, a string or a regular expression. A quote that is not closed on its line is an apostrophe. */
const NOT_CODE =
  /\/\/.*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`|(?<=[(,=:[!&|?;{}>\n]\s*)\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;
const NAME = /[A-Za-z_$][\w$]*(?:-[A-Za-z\d_$]+)*/g;

/** Returns every use of a banned term in the paths and contents of these files. */
export function plainLanguageFindings(files: readonly string[], read: (path: string) => string): Finding[] {
  return files
    .filter((path) => READ.test(path) && !SKIPPED.test(path))
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
    // In text, only a token that cannot be an ordinary word counts as a name: `keys-scene`, `fieldFault`.
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

/** Returns the findings as messages, each with the file, the line, the word and a better one. */
export function plainLanguageProblems(files: readonly string[], read: (path: string) => string): string[] {
  return plainLanguageFindings(files, read).map(describe);
}

function describe({ path, line, found, use }: Finding): string {
  return `${path}${line === 0 ? '' : `:${line}`}: "${found}" → ${use}`;
}

if (import.meta.main) {
  const root = resolve(import.meta.dir, '../..');
  const wanted = process.argv.slice(2);
  const files = repositoryFiles(root).filter(
    (path) => wanted.length === 0 || wanted.some((start) => path.startsWith(start)),
  );
  const problems = plainLanguageProblems(files, (path) => readFileSync(join(root, path), 'utf8'));
  for (const problem of problems) console.log(problem);
  console.log(`${problems.length} findings`);
}
