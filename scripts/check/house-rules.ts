/** Longer files are hard to keep in mind. */
const MAX_LINES = 300;
/** Tests are read one at a time, so test files may be longer. */
const MAX_TEST_LINES = 460;

/** Files that may disable a lint rule; each explains why. */
const SUPPRESSIONS: ReadonlySet<string> = new Set(['packages/contract/src/markdown/without-escapes.ts']);

interface HouseRule {
  pattern: RegExp;
  problem: string;
  applies: (path: string) => boolean;
}

const isCode = (path: string): boolean =>
  /\.(ts|tsx|js|css|grit|sh)$/.test(path) || /^(\.ci\/|scripts\/)\w+$/.test(path);
/** This folder contains the patterns that it forbids. */
const isElsewhere = (path: string): boolean => isCode(path) && !path.startsWith('scripts/check/');

const RULES: readonly HouseRule[] = [
  { pattern: /\b(TODO|FIXME|XXX|HACK)\b/, problem: 'is unfinished', applies: isElsewhere },
  { pattern: /@ts-(ignore|nocheck)\b/, problem: 'suppresses compiler errors', applies: isElsewhere },
  {
    pattern: /\bbiome-ignore/,
    problem: 'suppresses lint errors',
    applies: (path) => isElsewhere(path) && !SUPPRESSIONS.has(path),
  },
  {
    pattern: /\b(test|it|describe)\.(only|skip|todo)\b/,
    problem: 'skips tests',
    applies: (path) => path.endsWith('.test.ts') && isElsewhere(path),
  },
  {
    pattern: /^import (?!type\b).*from '@hub\/contract'/,
    problem: 'adds a dependency to the client, which has none: import a file of the contract, or a type',
    applies: (path) => /^packages\/client\/src\/.*(?<!\.test)\.ts$/.test(path),
  },
  {
    pattern: /^(?!\s*(?:\/?\*|\/\/|\{\/\*)).*\p{L}'\p{L}/u,
    problem: 'has a straight apostrophe: texts of the web app use ’',
    applies: (path) => /^apps\/(?:web\/src|api\/src\/pages)\/.*(?<!\.test)\.[jt]sx?$/.test(path),
  },
];

/** Patterns that span several lines. */
const SPANS: readonly HouseRule[] = [
  {
    pattern: /\*\/\n[ \t]*\/\*\*/,
    problem: 'is a doc comment directly before another one, so it documents nothing',
    applies: isElsewhere,
  },
  {
    pattern: /\.map\(.*=> \(\n\s*<>/,
    problem: 'makes a list of fragments without a key: use <Fragment key=…>',
    applies: (path) => path.endsWith('.tsx'),
  },
];

/** Finds leftovers, suppressed checks and overlong files, which no other tool looks for. */
export function houseRuleProblems(files: readonly string[], read: (path: string) => string): string[] {
  return files.filter(isCode).flatMap((path) => {
    const text = read(path);
    const lines = text.split('\n');
    const rules = RULES.filter((rule) => rule.applies(path));
    const problems = lines.flatMap((line, index) =>
      rules
        .filter(({ pattern }) => pattern.test(line))
        .map(({ problem }) => `${path}:${index + 1}: ${line.trim()}: ${problem}`),
    );
    for (const { pattern, problem, applies } of SPANS) {
      for (const { index } of applies(path) ? text.matchAll(new RegExp(pattern, 'g')) : []) {
        const line = text.slice(0, index).split('\n').length;
        problems.push(`${path}:${line}: ${lines[line - 1]?.trim()}: ${problem}`);
      }
    }
    const length = lines.length - 1;
    const max = /\.(test|browser)\.tsx?$|^scripts\/prove\//.test(path) ? MAX_TEST_LINES : MAX_LINES;
    if (length > max) problems.push(`${path}: has ${length} lines, and may have at most ${max}`);
    return problems;
  });
}
