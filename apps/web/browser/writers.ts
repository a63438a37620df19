import { afterAll, afterEach, beforeAll } from 'bun:test';
import type { Page } from 'playwright-core';
import { startTeam } from '../../api/src/testing/team.ts';
import { startBrowser, type TestSession, testSession, WIDE } from './browser.ts';

/** A team, and people who write in their Hub: to be called once in a file of tests, whose seats are closed after each. */
export function writers() {
  let team: Awaited<ReturnType<typeof startTeam>>;
  let browser: Awaited<ReturnType<typeof startBrowser>>;
  const testSessions: TestSession[] = [];
  beforeAll(async () => {
    [team, browser] = await Promise.all([startTeam(), startBrowser()]);
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
    /** Somebody in the conversation of the Hub: Ada, unless it is Bob. */
    openSession: async (look = WIDE, who: 'ada' | 'bob' = 'ada'): Promise<TestSession> => {
      const taken = await testSession(browser, team.hub, { caller: team[who], look });
      testSessions.push(taken);
      await open(taken.page);
      return taken;
    },
  };
}

export const textOf = (page: Page) => page.getByRole('textbox', { name: 'Message to' });

let count = 0;
/** Words that no other message has. */
export function fresh(text: string): string {
  count += 1;
  return `${text} ${count}`;
}
