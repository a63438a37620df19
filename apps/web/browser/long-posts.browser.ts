import { afterAll, beforeAll, expect, test } from 'bun:test';
import { testBrowser, testSession } from '@hub/testkit/browser/browser';
import { type BackdatedTeam, startBackdatedTeam } from '@hub/testkit/browser/hub-test-sessions';
import type { Browser, Page } from 'playwright-core';

const POSTS = 250;
/** The window is tall, so that there are fewer frames to wait for. */
const TALL = { width: 1_280, height: 1_600, scheme: 'light' } as const;
/** Pixels per frame: faster than any wheel, but less than the height drawn beyond the view. */
const STEP = 700;
const MAX_HEAP_BYTES = 300 * 1024 * 1024;
/** The posts near the view have a few thousand nodes; all posts together have about fifty thousand. */
const MAX_NODES = 30_000;
const TIMEOUT_MS = 400_000;

let browser: Browser;
let team: BackdatedTeam;
let ids: string[];
beforeAll(async () => {
  browser = await testBrowser();
  team = await startBackdatedTeam();
  ids = [];
  for (const text of longPosts(POSTS)) {
    ids.push((await team.message(team.bob, text)).id);
    team.afterMinutes(1);
  }
  await team.ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

test(
  'scrolling through 250 long posts in a Hub in both directions shows each once and keeps only those near the view',
  async () => {
    const { page, context, problems, left } = await open(`/hubs/${team.hubId}`, '.main .feed [data-row]');
    const hub = { scroller: '.main .feed', row: '[data-row]' };
    expect(await scrollThrough(page, { ...hub, step: -STEP })).toEqual(ids.toReversed());
    expect(await scrollThrough(page, { ...hub, step: STEP })).toEqual(ids);
    const { heapBytes, nodes } = await left();
    expect(heapBytes).toBeWithin(1, MAX_HEAP_BYTES);
    expect(nodes).toBeWithin(1, MAX_NODES);
    expect(problems).toEqual([]);
    await context.close();
  },
  TIMEOUT_MS,
);

test(
  'scrolling through 250 long posts in the Stream in both directions keeps only those near the view',
  async () => {
    const { page, context, problems, left } = await open('/stream', '.scroll .entry');
    for (const step of [3 * STEP, -3 * STEP]) await scrollThrough(page, { scroller: '.scroll', row: '.entry', step });
    const { heapBytes, nodes } = await left();
    expect(heapBytes).toBeWithin(1, MAX_HEAP_BYTES);
    expect(nodes).toBeWithin(1, MAX_NODES);
    expect(problems).toEqual([]);
    await context.close();
  },
  TIMEOUT_MS,
);

/** Opens a page. `left` returns the memory and nodes that remain after a garbage collection. */
async function open(path: string, row: string) {
  const opened = await testSession(browser, team.hub, { caller: team.ada, look: TALL });
  const session = await opened.context.newCDPSession(opened.page);
  await session.send('Performance.enable');
  await opened.page.goto(path);
  await opened.page.locator(row).first().waitFor();
  const left = async () => {
    // Objects released by a finalizer are collected in the second pass.
    for (let turn = 0; turn < 2; turn += 1) await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const metric = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
    return { heapBytes: metric('JSHeapUsedSize'), nodes: metric('Nodes') };
  };
  return { ...opened, left };
}

/** Scrolls by `step` pixels per frame to the end. Returns the ids of the rows that came into view, in order. */
function scrollThrough(page: Page, plan: { scroller: string; row: string; step: number }): Promise<string[]> {
  return page.evaluate(async ({ scroller, row, step }) => {
    const feed = document.querySelector(scroller) as HTMLElement;
    const seen = new Set<string>();
    for (let still = 0; still < 60; ) {
      const rows = [...feed.querySelectorAll<HTMLElement>(row)].map((each) => each.dataset.row ?? '');
      if (new Set(rows).size < rows.length) throw new Error(`Duplicate row: ${rows}`);
      const { top, bottom } = feed.getBoundingClientRect();
      const inView = [...feed.querySelectorAll<HTMLElement>(row)].filter((each) => {
        const box = each.getBoundingClientRect();
        return box.bottom > top && box.top < bottom;
      });
      for (const each of step < 0 ? inView.toReversed() : inView) seen.add(each.dataset.row ?? '');
      const before = feed.scrollTop;
      feed.scrollTop += step;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      still = feed.scrollTop === before ? still + 1 : 0;
    }
    return [...seen];
  }, plan);
}

/**
 * Returns posts as programs send them: release notes, test logs and pull request descriptions of up to 40,000
 * characters.
 */
function longPosts(count: number): string[] {
  const random = seeded(1_145);
  const kinds = [releaseNotes, testLog, pullRequest];
  return Array.from({ length: count }, (_, n) => (kinds[n % 3] ?? testLog)(n, random).slice(0, 40_000));
}

type Random = (max: number) => number;

/**
 * Returns a generator of integers below `max`, the same in every run: a linear congruential generator (Numerical
 * Recipes, 7.1).
 */
function seeded(seed: number): Random {
  let state = seed;
  return (max) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * max);
  };
}

const WORDS =
  'cache build release request worker schema index token parser session retry queue field option error'.split(' ');

function sentence(random: Random, length: number): string {
  return Array.from({ length }, () => WORDS[random(WORDS.length)]).join(' ');
}

function lines(count: number, line: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => line(n)).join('\n');
}

function releaseNotes(n: number, random: Random): string {
  const change = () =>
    `- **${sentence(random, 2)}**: ${sentence(random, 8 + random(12))} ([#${random(9_999)}](https://git.example/pull/${random(9_999)})) by @dev${random(40)}, \`${sentence(random, 1)}-${random(99)}\``;
  const part = (title: string) => `## ${title}\n\n${lines(5 + random(30), change)}`;
  const parts = ['Features', 'Bug fixes', 'Performance', 'Dependencies', 'Documentation'].map(part);
  return `# Release ${n}.${random(20)}.0\n\n${sentence(random, 40)}.\n\n${parts.join('\n\n')}`;
}

function testLog(n: number, random: Random): string {
  const log = lines(
    40 + random(400),
    (line) =>
      `12:${random(60)}:${random(60)} [worker-${random(8)}] ${line % 9 === 0 ? 'FAIL' : 'ok'} ${sentence(random, 3 + random(6))} (${random(900)} ms)`,
  );
  return `Test run ${n} has **${random(40)} failures**\n\n\`\`\`text\n${log}\n\`\`\`\n\n${sentence(random, 20)}.`;
}

function pullRequest(n: number, random: Random): string {
  const row = () =>
    `| [${sentence(random, 1)}-${random(99)}](https://registry.example/${random(999)}) | \`${random(9)}.${random(20)}.1\` | \`${random(9)}.${random(20)}.2\` | ${sentence(random, 4)} |`;
  const table = `| Package | From | To | Change |\n|---|---|---|---|\n${lines(5 + random(40), row)}`;
  const code = `\`\`\`ts\n${lines(10 + random(60), () => `const ${sentence(random, 1)} = await ${sentence(random, 1)}.get('${sentence(random, 2)}');`)}\n\`\`\``;
  const prose = lines(
    3 + random(20),
    () =>
      `${sentence(random, 30)}, *${sentence(random, 3)}*, \`${sentence(random, 1)}\`.\n\n> ${sentence(random, 12)}\n`,
  );
  return `### Update ${n}\n\n${table}\n\n${prose}\n\n${code}\n\n- [x] ${sentence(random, 5)}\n- [ ] ${sentence(random, 5)}`;
}
