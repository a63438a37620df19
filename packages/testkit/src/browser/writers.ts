import { afterAll, afterEach, beforeAll } from 'bun:test';
import type { Page } from 'playwright-core';
import { startTeam } from '../in-process/team.ts';
import { type TestSession, testBrowser, testSession, WIDE } from './browser.ts';

/** Sets up a team and opens its Hub for members. Call it once per test file; sessions are closed after each test. */
export function writers() {
  let team: Awaited<ReturnType<typeof startTeam>>;
  let browser: Awaited<ReturnType<typeof testBrowser>>;
  const testSessions: TestSession[] = [];
  beforeAll(async () => {
    [team, browser] = await Promise.all([startTeam(), testBrowser()]);
  });
  afterEach(async () => {
    for (const { context } of testSessions.splice(0)) await context.close();
  });
  afterAll(async () => {
    await browser.close();
    await team[Symbol.asyncDispose]();
  });
  const open = async (page: Page, hubId = team.hubId) => {
    await page.goto(`/hubs/${hubId}`);
    await textOf(page).waitFor();
  };
  return {
    hubId: () => team.hubId,
    browser: () => browser,
    open,
    /** Opens the conversation of the Hub as Ada, or as Bob. */
    openSession: async (look = WIDE, who: 'ada' | 'bob' = 'ada'): Promise<TestSession> => {
      const opened = await testSession(browser, team.hub, { caller: team[who], look });
      testSessions.push(opened);
      await open(opened.page);
      return opened;
    },
  };
}

export const textOf = (page: Page) => page.getByRole('textbox', { name: 'Message to' });

let count = 0;
/** Returns text that no other message has. */
export function fresh(text: string): string {
  count += 1;
  return `${text} ${count}`;
}
