/**
 * A test file cited as evidence, with part of a title: `` `workspace/keys/revoke-key.test.ts`: *with many requests in flight* ``.
 */
const NAMED_TEST = /`([\w./-]+\.(?:test|browser)\.ts)`(?:: \*([^*]+)\*)?/g;
const NAMED_PROOF = /`bun run prove ([\w-]+)/g;

interface Repository {
  readonly files: readonly string[];
  readonly read: (path: string) => string;
}

/** Finds rows of the threat table without evidence, and tests and proofs that do not exist. */
export function threatModelProblems(page: string, { files, read }: Repository): string[] {
  const rows = threatsIn(read(page));
  const problems = rows.flatMap((row) => {
    const shownBy = row.at(-1) ?? '';
    const tests = [...shownBy.matchAll(NAMED_TEST)];
    const proofs = [...shownBy.matchAll(NAMED_PROOF)].map(([, proof = '']) => proof);
    if (tests.length + proofs.length === 0) return [`no test or proof for "${row[1]}"`];
    return [
      ...proofs
        .filter((proof) => !files.includes(`scripts/prove/${proof}.ts`))
        .map((proof) => `the proof ${proof} does not exist`),
      ...tests.flatMap(([, path = '', title]) => testProblems(path, title, { files, read })),
    ];
  });
  return [...(rows.length === 0 ? ['the table of threats is empty'] : []), ...problems].map(
    (problem) => `${page}: ${problem}`,
  );
}

/** Returns the cells of each row of the table whose header begins with "actor". */
function threatsIn(markdown: string): string[][] {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => line.startsWith('| actor |'));
  if (start < 0) return [];
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  return lines.slice(start + 2, end < 0 ? undefined : end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The file must exist somewhere in the repository, and contain the title. */
function testProblems(path: string, title: string | undefined, { files, read }: Repository): string[] {
  const found = files.filter((file) => file === path || file.endsWith(`/${path}`));
  if (found.length === 0) return [`${path} does not exist`];
  if (title === undefined) return [];
  return found.some((file) => read(file).replaceAll("\\'", "'").includes(title))
    ? []
    : [`${path} does not contain "${title}"`];
}
