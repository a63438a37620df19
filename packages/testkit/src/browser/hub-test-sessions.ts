import { afterAll, afterEach, expect } from 'bun:test';
import type { Locator, Page } from 'playwright-core';
import { type StartedTeam, type Team, teamIn, teamOn } from '../in-process/team.ts';
import { TestClock } from '../in-process/test-clock.ts';
import { startTestHub } from '../in-process/test-hub.ts';
import type { UserCaller } from '../in-process/users.ts';
import { type SessionOptions, type TestSession, testBrowser, testSession } from './browser.ts';
import { painted } from './steps.ts';

const DAY_MS = 86_400_000;
/**
 * Starts a team on a server whose clock begins some days ago, so that its posts are not in the future by the browsers'
 * clocks.
 */
export async function startBackdatedTeam() {
  const clock = new TestClock(Date.now() - 3 * DAY_MS);
  // Members post thousands of items while the clock stands still.
  const hub = await startTestHub({ clock, limits: { maxRequestsPerMinute: 1_000_000 } });
  const team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
  const afterMinutes = (minutes: number) => clock.advance(minutes * 60_000);
  return { ...team, hub, clock, afterMinutes, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}
type BackdatedTeam = Awaited<ReturnType<typeof startBackdatedTeam>>;

export interface HubTestSession extends TestSession {
  /** The row of a message in the conversation. */
  row: (message: { id: string }) => Locator;
  panel: Locator;
}

interface OpenOptions extends Omit<SessionOptions, 'caller'> {
  /** The time at which the browser's clock starts. */
  now?: string;
}

/**
 * Sets up a team on one server for all tests of a file. Closes the pages after each test, which fails if one of them
 * logged an error that does not match `expected`.
 */
export async function teamSessions<T extends StartedTeam>(
  starting: Promise<T>,
  { expected, isWhole = false }: { expected?: RegExp; isWhole?: boolean } = {},
) {
  const [browser, team] = await Promise.all([testBrowser({ isWhole }), starting]);
  const sessions: (TestSession & { forgotten?: RegExp })[] = [];
  let { hubId } = team;
  afterEach(async () => {
    const problems = sessions.flatMap((each) => each.problems.filter((problem) => !each.forgotten?.test(problem)));
    await Promise.all(sessions.splice(0).map(({ context }) => context.close()));
    expect(problems.filter((problem) => !expected?.test(problem))).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await team[Symbol.asyncDispose]();
  });
  /** Opens an empty page, which has the caller's session. */
  const session = async (caller: UserCaller | null, options: OpenOptions = {}): Promise<TestSession> => {
    const { now, ...rest } = options;
    const opened = await testSession(browser, team.hub, { ...rest, ...(caller ? { caller } : {}) });
    sessions.push(opened);
    if (now) await opened.page.clock.install({ time: now });
    return opened;
  };
  const open = async (caller: UserCaller | null, path: string, options?: OpenOptions): Promise<Page> => {
    const { page } = await session(caller, options);
    await page.goto(path);
    return page;
  };
  return {
    browser,
    team,
    session,
    open,
    /** Opens the conversation of the newest Hub. */
    openHub: async (caller: UserCaller, options: OpenOptions & { at?: string } = {}): Promise<HubTestSession> => {
      const { at = '', ...rest } = options;
      const opened = await session(caller, rest);
      const { page } = opened;
      await page.goto(`/hubs/${hubId}${at}`);
      await isShown(page);
      return {
        ...opened,
        row: ({ id }) => page.locator(`.main .feed [data-row="${id}"]`),
        panel: page.locator('.panel'),
      };
    },
    /** Replaces the Hub by an empty one of the same name, so that a test sees only its own posts. */
    newHub: async (): Promise<T> => {
      await team.hub.admin.deleteHub(hubId);
      const next: Team = await teamIn(team.hub, team);
      ({ hubId } = next);
      return { ...team, ...next };
    },
    /** Accepts the errors that this page has logged so far, and will log, or those of them that match. */
    forgetProblems: (page: Page, which = /^/): void => {
      const opened = sessions.find((each) => each.page === page);
      if (opened) opened.forgotten = which;
    },
  };
}

export async function isShown(page: Page): Promise<void> {
  await page.locator('.main .feed:not(.is-unplaced)').waitFor();
}

/** Posts this many messages, alternating between the two members, and marks them as read. */
export async function fill(team: Team & Pick<BackdatedTeam, 'afterMinutes'>, count: number): Promise<{ id: string }[]> {
  const written: { id: string }[] = [];
  for (let n = 0; n < count; n += 1) {
    const text = n % 7 === 0 ? ` ${'and so on, '.repeat(40)}` : '';
    written.push(await team.message(n % 2 === 0 ? team.ada : team.bob, `Message ${n}${text}`));
    team.afterMinutes(1);
  }
  for (const caller of [team.ada, team.bob]) await readAll(team, caller);
  return written;
}

/** Marks everything in the Hub as read. */
export async function readAll(team: Team, caller = team.ada): Promise<void> {
  await caller.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
}

/** Scrolls up by this many pixels and waits for the button that jumps to the newest message. */
export async function scrollUp({ page }: Pick<TestSession, 'page'>, pixels: number): Promise<void> {
  await page.locator('.feed').hover();
  await page.mouse.wheel(0, -pixels);
  await page.getByRole('button', { name: 'Newest' }).waitFor();
  await painted(page);
}

/**
 * Resolves once the service worker controls the page. On a busy machine its installation can fail, and is tried again when the page is
 * loaded the next time.
 */
export async function untilInstalled(page: Page): Promise<void> {
  const isControlled = () => navigator.serviceWorker.controller !== null;
  for (let tries = 1; ; tries += 1) {
    try {
      await page.waitForFunction(isControlled, undefined, { timeout: 30_000, polling: 100 });
      return;
    } catch (error) {
      if (tries === 4) throw error;
      await page.reload();
    }
  }
}
