import { afterAll, afterEach, expect } from 'bun:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { type StartedTeam, type Team, teamOn } from '../in-process/team.ts';
import { TestClock } from '../in-process/test-clock.ts';
import { startTestHub } from '../in-process/test-hub.ts';
import type { UserCaller } from '../in-process/users.ts';
import { type Look, type TestSession, testBrowser, testSession } from './browser.ts';

const DAY_MS = 86_400_000;
/**
 * Changes by others appear within this time, without a reload. It is a second, and more where two browsers share a busy
 * machine; the time that a change takes is measured by `bench:web` and `bun run prove live`.
 */
export const LIVE_MS = 3_000;

/**
 * Starts a team on a server whose clock begins yesterday, so that its posts are not in the future by the browsers'
 * clocks.
 */
export async function startBackdatedTeam() {
  const clock = new TestClock(Date.now() - DAY_MS);
  // Members post thousands of items while the clock stands still.
  const hub = await startTestHub({ clock, limits: { maxRequestsPerMinute: 1_000_000 } });
  const team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
  const afterMinutes = (minutes: number) => clock.advance(minutes * 60_000);
  return { ...team, hub, clock, afterMinutes, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}
export type BackdatedTeam = Awaited<ReturnType<typeof startBackdatedTeam>>;

export interface HubTestSession extends TestSession {
  /** The row of a message in the conversation. */
  row: (message: { id: string }) => Locator;
  panel: Locator;
  /** Closes the page. Fails if it logged an error or was reloaded. */
  leave: () => Promise<void>;
}

/** Opens the Hub as a member. */
export async function openTestSession(
  browser: Browser,
  team: BackdatedTeam,
  { caller, look, at = '' }: { caller: UserCaller; look?: Look; at?: string },
): Promise<HubTestSession> {
  const opened = await testSession(browser, team.hub, { caller, look });
  const { page, context, problems } = opened;
  await page.goto(`/hubs/${team.hubId}${at}`);
  await isShown(page);
  await page.evaluate(() => document.documentElement.setAttribute('data-first-load', ''));
  return {
    ...opened,
    row: ({ id }) => page.locator(`.main .feed [data-row="${id}"]`),
    panel: page.locator('.panel'),
    leave: async () => {
      expect(problems).toEqual([]);
      expect(await page.locator('html[data-first-load]').count()).toBe(1);
      await context.close();
    },
  };
}

interface OpenOptions {
  look?: Look | undefined;
  /** The time at which the browser's clock starts. */
  now?: string;
}

/**
 * Sets up a team for all tests of the file. Closes the pages after each test, which fails if one of them logged an error
 * that does not match `expected`.
 */
export async function teamSessions<T extends StartedTeam>(
  starting: Promise<T>,
  { expected }: { expected?: RegExp } = {},
) {
  const [browser, team] = await Promise.all([testBrowser(), starting]);
  const sessions: TestSession[] = [];
  afterEach(async () => {
    const problems = sessions.flatMap((each) => each.problems);
    await Promise.all(sessions.splice(0).map(({ context }) => context.close()));
    expect(problems.filter((problem) => !expected?.test(problem))).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await team[Symbol.asyncDispose]();
  });
  const open = async (caller: UserCaller, path: string, { look, now }: OpenOptions = {}): Promise<Page> => {
    const opened = await testSession(browser, team.hub, { caller, look });
    sessions.push(opened);
    if (now) await opened.page.clock.install({ time: now });
    await opened.page.goto(path);
    return opened.page;
  };
  /** Accepts the errors that this page has logged so far. */
  const forgetProblems = (page: Page) => sessions.find((each) => each.page === page)?.problems.splice(0);
  return { browser, team, open, forgetProblems };
}

export async function isShown(page: Page): Promise<void> {
  await page.locator('.main .feed:not(.is-unplaced)').waitFor();
}

/** Returns the post once it is in the feed and parsed. */
export async function shownPost(page: Page, { id }: { id: string }): Promise<Locator> {
  const prose = page.locator(`#${id} .prose:not([aria-busy="true"])`);
  await prose.waitFor();
  return prose;
}

/** Posts this many messages, alternating between the two members, and marks them as read. */
export async function fill(team: Team & Pick<BackdatedTeam, 'afterMinutes'>, count: number): Promise<{ id: string }[]> {
  const written: { id: string }[] = [];
  for (let n = 0; n < count; n += 1) {
    const text = n % 7 === 0 ? ` ${'and so on, '.repeat(40)}` : '';
    written.push(await team.message(n % 2 === 0 ? team.ada : team.bob, `Message ${n}${text}`));
    team.afterMinutes(1);
  }
  for (const caller of [team.ada, team.bob])
    await caller.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
  return written;
}

/** Scrolls up by this many pixels and waits for the button that jumps to the newest message. */
export async function scrollUp({ page }: Pick<TestSession, 'page'>, pixels: number): Promise<void> {
  await page.locator('.feed').hover();
  await page.mouse.wheel(0, -pixels);
  await page.getByRole('button', { name: 'Newest' }).waitFor();
  await painted(page);
}

/** Returns the element's distance from the top of the window, in pixels. */
export async function topOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.y ?? Number.NaN;
}

/** Resolves after two frames, when layout and paint are done. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}
