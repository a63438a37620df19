/**
 * Proves that no post holds up the page: what readers of Markdown have choked on, 40,000 characters of each, is shown within a
 * second, and the page never answers later than 50 ms meanwhile, nor while one unfolds the longest of them.
 */
import type { Browser, Page } from 'playwright-core';
import { runProof } from '../../../scripts/prove/proof.ts';
import { startTeam, type Team } from '../../api/src/testing/team.ts';
import { startBrowser, testSession } from '../browser/browser.ts';

const LENGTH = 40_000;
const full = (piece: string) => piece.repeat(Math.floor(LENGTH / piece.length));

/** What other readers of Markdown have choked on. */
const PATHOLOGICAL: Readonly<Record<string, string>> = {
  'quotes in quotes': full('>'),
  'lists in lists': full('- '),
  'quotes in lists in quotes': full('> - '),
  'deep lists': Array.from({ length: 280 }, (_, n) => `${' '.repeat(n * 2)}- a`)
    .join('\n')
    .slice(0, LENGTH),
  emphasis: full('*a _b **c '),
  'emphasis that does not end': full('***a** b '),
  brackets: full('['),
  'brackets that open links': full('[a]('),
  'pictures in pictures': full('!['),
  links: full('[a](https://a.example/) '),
  addresses: full('https://a.example/ '),
  'marks and code': full('**a** `b` '),
  backticks: full('`a``'),
  tags: full('<a b="'),
  comments: full('<!--'),
  'comments that end': full('<!-- a -->'),
  'elements in elements': full('<b>a'),
  'overlapping elements': full('<b><i><s>a</b>b</i></s>'),
  'details in details': full('<details><summary>a</summary>\n\n'),
  'tables in tables': full('<table><tr><td>'),
  'rows of HTML': `<table>${full('<tr><td>a')}`.slice(0, LENGTH),
  alerts: full('> [!NOTE]\n> a\n\n'),
  shortcodes: full(':tada:'),
  'pictures in links': full('[![a](https://a.example/i.png)](https://a.example/) '),
  mail: full('a@'),
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
  'stars that open': full('*a '),
  'underlines in words': full('a_b_'),
  entities: full('&amp;&#x41;'),
  avatars: full('![a](https://a.example/i.png) '),
  'signs above one letter': `a${full('\u0301')}`.slice(0, LENGTH),
  'signs above letters': full(`a${'\u0301'.repeat(25)}`),
  'turned text in turned text': full('\u202ea\u2067b'),
  'joined emoji': full('👩‍👩‍👧 '),
};

const MAX_ATTEMPTS = 8;

const TRACED = { categories: ['toplevel', '__metadata'] };

interface Setup {
  browser: Browser;
  team: Team;
  page: Page;
}

interface Measured {
  settledMs: number;
  longestTaskMs: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  tid: number;
  /** Of a thread that ran: the time that the processor gave it, in microseconds. */
  tdur?: number;
  args: { name?: string };
}

/** These are unfolded as well: they have the most to draw. */
const UNFOLDED = [
  'links',
  'a long table',
  'a long list',
  'many code blocks',
  'names',
  'pictures in links',
  'rows of HTML',
];

await runProof({ limitSeconds: 170 }, async (proof) => {
  await using team = await startTeam();
  // The whole browser: the shell that tests run in draws some letters in another way.
  const browser = await startBrowser({ isWhole: true });
  const { page, problems } = await testSession(browser, team.hub, { caller: team.ada });
  await page.goto(`/hubs/${team.hubId}`);
  await page.getByRole('log').waitFor();
  const setup: Setup = { browser, team, page };
  for (const [name, text] of Object.entries(PATHOLOGICAL)) {
    const figures = await settled(setup, text);
    proof.check(`40,000 characters of ${name} are shown, and the page goes on`, isQuick(figures), wordsIn(figures));
  }
  for (const name of UNFOLDED) {
    const figures = await settled(setup, PATHOLOGICAL[name] ?? '', { isUnfolded: true });
    proof.check(`${name} are unfolded while the page goes on`, figures.longestTaskMs < 50, wordsIn(figures));
  }
  proof.check('nothing went wrong in the page', problems.length === 0, problems.join('; '));
  await browser.close();
});

function isQuick({ settledMs, longestTaskMs }: Measured): boolean {
  return settledMs < 1_000 && longestTaskMs < 50;
}

function wordsIn({ settledMs, longestTaskMs }: Measured): string {
  return `${settledMs.toFixed(0)} ms, longest task ${longestTaskMs.toFixed(0)} ms`;
}

/** The first attempt that is quick enough, else the last: other work on the machine only ever makes an attempt slower. */
async function settled(setup: Setup, text: string, { isUnfolded = false } = {}): Promise<Measured> {
  for (let attempt = 1; ; attempt += 1) {
    const figures = await measured(setup, text, isUnfolded);
    if (isQuick(figures) || attempt === MAX_ATTEMPTS) return figures;
  }
}

/** From the post's being sent to its being shown, and the longest that the page did not answer meanwhile. */
async function measured({ browser, team, page }: Setup, text: string, isUnfolded: boolean): Promise<Measured> {
  if (!isUnfolded) await browser.startTracing(page, TRACED);
  const started = performance.now();
  const { id } = await team.message(team.bob, text);
  await page.locator(`#${id} .prose[aria-busy="false"]`).waitFor();
  const settledMs = performance.now() - started;
  if (isUnfolded) {
    await browser.startTracing(page, TRACED);
    await page.locator(`#${id}`).getByRole('button', { name: 'Show all of it' }).click();
  }
  await page.evaluate(`new Promise((resolve) => {
    let frames = ${isUnfolded ? 80 : 8};
    const next = () => (frames-- > 0 ? requestAnimationFrame(next) : setTimeout(resolve));
    next();
  })`);
  const longestTaskMs = longestTask(await browser.stopTracing());
  await team.bob.json('DELETE', `/messages/${id}`);
  await page.locator(`#${id}`).waitFor({ state: 'detached' });
  return { settledMs, longestTaskMs };
}

/** In the time of the processor: what else the machine does is not the page's fault. */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ tid }) => tid),
  );
  const tasks = traceEvents.filter(({ name, tid }) => name === 'ThreadControllerImpl::RunTask' && mains.has(tid));
  if (tasks.length <= 5) throw new Error('The trace holds next to no task of the page');
  return Math.max(...tasks.map(({ tdur }) => (tdur ?? 0) / 1_000));
}
