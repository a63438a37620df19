import { expect } from 'bun:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { startTestHub } from '../../api/src/testing/start-test-hub.ts';
import { type Team, teamOn } from '../../api/src/testing/team.ts';
import { TestClock } from '../../api/src/testing/test-clock.ts';
import type { UserCaller } from '../../api/src/testing/users.ts';
import { type Look, type TestSession, testSession } from './browser.ts';

const DAY_MS = 86_400_000;
/** What others do is to be seen by then, without anything being loaded anew. */
export const LIVE_MS = 1_000;

/** A team on a server whose clock begins yesterday, so that what it posts is not in the future of the browsers. */
export async function startTeamOfYesterday() {
  const clock = new TestClock(Date.now() - DAY_MS);
  // Its people write thousands of items while the clock stands still.
  const hub = await startTestHub({ clock, limits: { maxRequestsPerMinute: 1_000_000 } });
  const team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
  const afterMinutes = (minutes: number) => clock.advance(minutes * 60_000);
  return { ...team, hub, clock, afterMinutes, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}
export type TeamOfYesterday = Awaited<ReturnType<typeof startTeamOfYesterday>>;

export interface HubTestSession extends TestSession {
  /** The row of a message in the conversation. */
  row: (message: { id: string }) => Locator;
  panel: Locator;
  /** Fails if anything went wrong in the page, or it was loaded anew; then closes it. */
  leave: () => Promise<void>;
}

/** Somebody who has the Hub open. */
export async function openTestSession(
  browser: Browser,
  team: TeamOfYesterday,
  { caller, look, at = '' }: { caller: UserCaller; look?: Look; at?: string },
): Promise<HubTestSession> {
  const taken = await testSession(browser, team.hub, { caller, ...(look ? { look } : {}) });
  const { page, context, problems } = taken;
  await page.goto(`/hubs/${team.hubId}${at}`);
  await isShown(page);
  await page.evaluate(() => document.documentElement.setAttribute('data-first-load', ''));
  return {
    ...taken,
    row: ({ id }) => page.locator(`.main .feed [data-row="${id}"]`),
    panel: page.locator('.panel'),
    leave: async () => {
      expect(problems).toEqual([]);
      expect(await page.locator('html[data-first-load]').count()).toBe(1);
      await context.close();
    },
  };
}

export async function isShown(page: Page): Promise<void> {
  await page.locator('.main .feed:not(.is-unplaced)').waitFor();
}

/** Writes that many messages, by both in turn, a few at a time. */
export async function fill(
  team: Team & Pick<TeamOfYesterday, 'afterMinutes'>,
  count: number,
): Promise<{ id: string }[]> {
  const written: { id: string }[] = [];
  for (let n = 0; n < count; n += 1) {
    const text = n % 7 === 0 ? ` ${'and so on, '.repeat(40)}` : '';
    written.push(await team.message(n % 2 === 0 ? team.ada : team.bob, `Message ${n}${text}`));
    team.afterMinutes(1);
  }
  for (const caller of [team.ada, team.bob]) await caller.json('PUT', `/hubs/${team.hubId}/read`, { seq: team.seq() });
  return written;
}

/** Somebody reads further up from now on, as far as is said; the way back to the newest is offered. */
export async function scrollUp({ page }: Pick<TestSession, 'page'>, pixels: number): Promise<void> {
  await page.locator('.feed').hover();
  await page.mouse.wheel(0, -pixels);
  await page.getByRole('button', { name: 'Newest' }).waitFor();
  await painted(page);
}

/** How far below the upper edge of the window something is. */
export async function topOf(locator: Locator): Promise<number> {
  return (await locator.boundingBox())?.y ?? Number.NaN;
}

/** Resolves once two frames were painted: what was to be laid out is. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}
