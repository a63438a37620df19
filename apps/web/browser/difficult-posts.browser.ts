import { afterAll, beforeAll, expect, test } from 'bun:test';
import { startBrowser, type TestSession, testSession } from '@hub/testkit/browser/browser';
import { TASK_TRACE, taskTimesMs } from '@hub/testkit/browser/task-times';
import { startTeam } from '@hub/testkit/in-process/team';

const LENGTH = 40_000;
const full = (piece: string) => piece.repeat(Math.floor(LENGTH / piece.length));

/** Input that has choked other Markdown parsers. */
const PATHOLOGICAL: Readonly<Record<string, string>> = {
  'quotes in quotes': full('>'),
  'lists in lists': full('- '),
  'quotes in lists in quotes': full('> - '),
  'deep lists': Array.from({ length: 280 }, (_, n) => `${' '.repeat(n * 2)}- a`)
    .join('\n')
    .slice(0, LENGTH),
  emphasis: full('*a _b **c '),
  'unclosed emphasis': full('***a** b '),
  brackets: full('['),
  'unclosed links': full('[a]('),
  'images in images': full('!['),
  links: full('[a](https://a.example/) '),
  URLs: full('https://a.example/ '),
  'bold text and code': full('**a** `b` '),
  backticks: full('`a``'),
  tags: full('<a b="'),
  comments: full('<!--'),
  'closed comments': full('<!-- a -->'),
  'elements in elements': full('<b>a'),
  'overlapping elements': full('<b><i><s>a</b>b</i></s>'),
  'details in details': full('<details><summary>a</summary>\n\n'),
  'tables in tables': full('<table><tr><td>'),
  'rows of HTML': `<table>${full('<tr><td>a')}`.slice(0, LENGTH),
  alerts: full('> [!NOTE]\n> a\n\n'),
  shortcodes: full(':tada:'),
  'images in links': full('[![a](https://a.example/i.png)](https://a.example/) '),
  'e-mail addresses': full('a@'),
  'a long table': `|a|b|\n|-|-|\n${full('|1|2|\n')}`.slice(0, LENGTH),
  'a wide table': `${'|a'.repeat(9_000)}|\n${'|-'.repeat(9_000)}|\n`.slice(0, LENGTH),
  'a long list': full('- a\n'),
  'a list with blank lines': full('- a\n\n'),
  'many headings': full('# a\n'),
  'many code blocks': full('```\na\n```\n'),
  'many lines': full('a\n'),
  'many paragraphs': full('a\n\n'),
  'one word': full('a'),
  'one line of code': `\`\`\`js\n${full('a')}`.slice(0, LENGTH),
  'short lines of code': `\`\`\`js\n${full('a\n')}`.slice(0, LENGTH),
  names: full('@Ada Lovelace '),
  backslashes: full('\\'),
  references: full('[a]: b\n[a] '),
  bars: full('| '),
  'unclosed asterisks': full('*a '),
  'underscores in words': full('a_b_'),
  entities: full('&amp;&#x41;'),
  images: full('![a](https://a.example/i.png) '),
  'diacritics on one letter': `a${full('\u0301')}`.slice(0, LENGTH),
  'diacritics on letters': full(`a${'\u0301'.repeat(25)}`),
  'nested bidirectional text': full('\u202ea\u2067b'),
  'joined emoji': full('👩‍👩‍👧 '),
};

const [MAX_SHOWN_MS, MAX_TASK_MS] = [1_000, 50];
/** Posts that are traced together. */
const GROUP = 12;
/** Other load on the machine can only make an attempt slower. */
const ATTEMPTS = 4;
const TIMEOUT_MS = 120_000;
/** These posts are also expanded: they have the most to draw. */
const EXPANDED = [
  'links',
  'a long table',
  'a long list',
  'many code blocks',
  'names',
  'images in links',
  'rows of HTML',
];

let team: Awaited<ReturnType<typeof startTeam>>;
let browser: Awaited<ReturnType<typeof startBrowser>>;
let ada: TestSession;
beforeAll(async () => {
  // The full browser, since the headless shell draws some letters differently.
  [team, browser] = await Promise.all([startTeam(), startBrowser({ isWhole: true })]);
  ada = await testSession(browser, team.hub, { caller: team.ada });
  await ada.page.goto(`/hubs/${team.hubId}`);
  await ada.page.getByRole('log').waitFor();
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

/** Returns what is slow in the best attempt: traces the page while it shows or expands each post. */
async function slowest(names: readonly string[], show: (name: string) => Promise<string[]>): Promise<string[]> {
  let slow: string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS && (attempt === 0 || slow.length > 0); attempt += 1) {
    await browser.startTracing(ada.page, TASK_TRACE);
    slow = [];
    for (const name of names) slow.push(...(await show(name)));
    const taskMs = Math.max(...taskTimesMs(await browser.stopTracing()));
    if (taskMs >= MAX_TASK_MS) slow.push(`a task of ${taskMs.toFixed(0)} ms beside ${names}`);
  }
  return slow;
}

/** Resolves after this many frames. */
const frames = (count: number) =>
  ada.page.evaluate(`new Promise((resolve) => {
    let frames = ${count};
    const next = () => (frames-- > 0 ? requestAnimationFrame(next) : setTimeout(resolve));
    next();
  })`);

/** Posts a text, and removes the post again after `inspect`. */
async function withPost(name: string, inspect: (id: string) => Promise<string[]>): Promise<string[]> {
  const { id } = await team.message(team.bob, PATHOLOGICAL[name] ?? '');
  await ada.page.locator(`#${id} .prose[aria-busy="false"]`).waitFor();
  const slow = await inspect(id);
  await team.bob.json('DELETE', `/messages/${id}`);
  await ada.page.locator(`#${id}`).waitFor({ state: 'detached' });
  return slow;
}

const names = Object.keys(PATHOLOGICAL);
const groups = Array.from({ length: Math.ceil(names.length / GROUP) }, (_, n) =>
  names.slice(n * GROUP, (n + 1) * GROUP),
);

test.each(groups.map((group) => [group[0], group.at(-1), group] as const))(
  '40,000 characters of each kind from %p to %p are shown within a second, without a task of 50 ms',
  async (_first, _last, group) => {
    const show = async (name: string): Promise<string[]> => {
      const started = performance.now();
      return withPost(name, async () => {
        const shownMs = performance.now() - started;
        await frames(8);
        return shownMs < MAX_SHOWN_MS ? [] : [`${name} took ${shownMs.toFixed(0)} ms`];
      });
    };
    expect(await slowest(group, show)).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'the posts with the most to draw are expanded without a task of 50 ms',
  async () => {
    const expand = (name: string): Promise<string[]> =>
      withPost(name, async (id) => {
        await ada.page.locator(`#${id}`).getByRole('button', { name: 'Show more' }).click();
        await frames(40);
        return [];
      });
    expect(await slowest(EXPANDED, expand)).toEqual([]);
    expect(ada.problems).toEqual([]);
  },
  TIMEOUT_MS,
);
