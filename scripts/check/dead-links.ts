import { dirname, join } from 'node:path';

const LINK = /\[(?:[^\]\\]|\\.)*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)|^\s*\[[^\]]+\]:\s*(\S+)/gm;
const IMAGE = /<(?:img|a)\b[^>]*?\b(?:src|href)="([^"]+)"/g;
/** A source file in backticks, named by its path or the end of it: `apps/api/src/app.ts`, `workspace/keys/change-key.ts`. */
const NAMED_FILE = /`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|tsx|md|sql|grit))`/g;

/** A test in the last column of a table in docs/testing.md, named by the end of its path: `stream`, `lib/time/due`. */
const NAMED_TEST = /`([a-z][a-z\d.-]*(?:\/[a-z\d.*-]+)*)`/g;

/** Finds broken links in Markdown files, and names of source files and tests that do not exist. */
export function deadLinks(files: readonly string[], read: (path: string) => string): string[] {
  const known = new Set(files);
  for (const file of files) for (let path = dirname(file); path !== '.'; path = dirname(path)) known.add(path);
  const anchors = new Map<string, Set<string>>();
  const anchorsOf = (path: string): Set<string> => {
    const found = anchors.get(path) ?? headingAnchors(read(path));
    anchors.set(path, found);
    return found;
  };

  return files
    .filter((path) => path.endsWith('.md'))
    .flatMap((page) => {
      const text = read(page);
      const prose = withoutCode(text);
      const targets = [...prose.matchAll(LINK), ...prose.matchAll(IMAGE)].map(
        ([, inline, defined]) => inline ?? defined,
      );
      const dead = targets.filter((target) => target && !leadsSomewhere(page, target, known, anchorsOf));
      const named = [...withoutFences(text).matchAll(NAMED_FILE)].map(([, path]) => path ?? '');
      const missing = named.filter((path) => !files.some((file) => file === path || file.endsWith(`/${path}`)));
      return [
        ...dead.map((target) => `${page} links to ${target}, which does not exist`),
        ...missing.map((path) => `${page} names ${path}, which does not exist`),
        ...(page.endsWith('testing.md') ? missingTests(text, files) : []).map(
          (name) => `${page} names the test ${name}, which does not exist`,
        ),
      ];
    });
}

function missingTests(text: string, files: readonly string[]): string[] {
  const cells = [...text.matchAll(/^\|.*\|([^|]*)\|$/gm)].map(([, cell]) => cell ?? '');
  const names = cells.flatMap((cell) => [...cell.matchAll(NAMED_TEST)].map(([, name]) => name ?? ''));
  const isTest = (name: string) => {
    const path = new RegExp(`(?:^|/)${name.replaceAll('.', '\\.').replaceAll('*', '.*')}\\.(?:test|browser)\\.tsx?$`);
    return files.some((file) => path.test(file) || file.startsWith(`${name}/`));
  };
  // Names with an extension are checked as files.
  return names.filter((name) => !/\.tsx?$/.test(name) && !isTest(name));
}

function leadsSomewhere(
  page: string,
  target: string,
  known: ReadonlySet<string>,
  anchorsOf: (path: string) => ReadonlySet<string>,
): boolean {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return true;
  const [path = '', anchor] = decodeURIComponent(target).split('#');
  const file = path === '' ? page : join(path.startsWith('/') ? '.' : dirname(page), path).replace(/\/$/, '');
  if (!known.has(file) && file !== '.') return false;
  return anchor === undefined || !file.endsWith('.md') || anchorsOf(file).has(anchor);
}

/** The anchors that GitHub generates for the headings of a page, and those that the page defines itself. */
export function headingAnchors(markdown: string): Set<string> {
  const anchors = new Set([...markdown.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)].map(([, id]) => id ?? ''));
  const seen = new Map<string, number>();
  for (const [, heading = ''] of withoutFences(markdown).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\s-]/gu, '')
      .trim()
      .replace(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

function withoutFences(markdown: string): string {
  return markdown.replace(/^(\s*)(```+|~~~+)[\s\S]*?^\s*\2\s*$/gm, '');
}

function withoutCode(markdown: string): string {
  return withoutFences(markdown).replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '');
}
