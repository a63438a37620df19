/**
 * `bun scripts/check/plain-language.ts [PATH…]`: lists all words that read like a translation, and suggests better
 * ones.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { TERMS } from './plain-language-terms.ts';
import { repositoryFiles } from './repository-files.ts';

interface Finding {
  path: string;
  line: number;
  found: string;
  use: string;
}

const READ = /\.(ts|tsx|css|html|md|grit|sh|yml)$|^(package|biome)\.json$|^\.ci\/run$/;
/** The table of terms, a test with one, and a configuration in GitLab's words. */
const SKIPPED = /^scripts\/check\/(plain-language|checks\.test)|^ops\/ci\/gitlab/;
/** Returns every use of a banned term in these files. */
export function plainLanguageFindings(files: readonly string[], read: (path: string) => string): Finding[] {
  return files
    .filter((path) => READ.test(path) && !SKIPPED.test(path))
    .flatMap((path) =>
      read(path)
        .split('\n')
        .flatMap((line, index) =>
          TERMS.flatMap(({ text, use }) => {
            const found = text.exec(line)?.[0];
            return found === undefined ? [] : [{ path, line: index + 1, found: found.trim(), use }];
          }),
        ),
    );
}

/** Returns the findings as messages, each with the file, the line, the word and a better one. */
export function plainLanguageProblems(files: readonly string[], read: (path: string) => string): string[] {
  return plainLanguageFindings(files, read).map(describe);
}

function describe({ path, line, found, use }: Finding): string {
  return `${path}:${line}: "${found}" → ${use}`;
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
