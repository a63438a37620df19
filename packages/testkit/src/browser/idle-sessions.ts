import { spyOn } from 'bun:test';
import type { Browser } from 'playwright-core';
import type { TestHub } from '../in-process/test-hub.ts';
import {
  collectProblems,
  cookieOf,
  mediaOf,
  type SessionOptions,
  type TestSession,
  testSession,
  WIDE,
} from './browser.ts';

const LISTENED = ['console', 'dialog', 'framenavigated', 'pageerror', 'request', 'response'] as const;

/**
 * Opens sessions like `testSession`, in the pages that earlier tests have left: to load the app there takes two thirds of
 * the time. `leave` closes those that cannot be made as good as new.
 */
export function idleSessions(browser: Browser, hub: TestHub) {
  const idle = new Map<string, TestSession[]>();
  const leaving = new Map<TestSession, () => Promise<void>>();
  const open = async ({ caller, ...options }: SessionOptions): Promise<TestSession> => {
    const key = JSON.stringify(options);
    const left = idle.get(key) ?? [];
    idle.set(key, left);
    let session = left.pop();
    if (!session) {
      const opened = await testSession(browser, hub, options);
      const reset = resetOf(opened, options);
      leaving.set(opened, async () => {
        if (await reset().catch(() => false)) left.push(opened);
        else await opened.context.close();
      });
      session = opened;
    }
    if (caller) await session.context.addCookies([cookieOf(caller, hub)]);
    return session;
  };
  return { open, leave: async (session: TestSession) => leaving.get(session)?.() };
}

/** Returns a function that makes a session as good as new, at an empty page, or returns false if that is impossible. */
function resetOf(session: TestSession, { look = WIDE, isInstalled = false }: SessionOptions) {
  const { page, context, problems } = session;
  // What these add stays in the page.
  const lasting = [
    spyOn(page, 'addInitScript'),
    spyOn(page, 'routeWebSocket'),
    spyOn(context, 'addInitScript'),
    spyOn(context.clock, 'install'),
    spyOn(context.clock, 'setFixedTime'),
  ];
  return async () => {
    if (isInstalled || page.isClosed() || lasting.some(({ mock }) => mock.calls.length > 0)) return false;
    await Promise.all(context.pages().map((each) => each !== page && each.close()));
    for (const name of LISTENED) page.removeAllListeners(name);
    context.removeAllListeners('request');
    // A page with text that was not sent asks before it is left.
    page.once('dialog', (dialog) => void dialog.accept());
    await context.setOffline(false);
    for (const routed of [page, context]) await routed.unrouteAll({ behavior: 'ignoreErrors' });
    await page.route('**/empty', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    await page.goto('/empty');
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await page.unrouteAll();
    await Promise.all([context.clearCookies(), context.clearPermissions(), page.mouse.move(0, 0)]);
    await page.emulateMedia({ ...mediaOf(look), forcedColors: 'none' });
    await page.setViewportSize({ width: look.width, height: look.height });
    page.removeAllListeners('dialog');
    problems.length = 0;
    session.problems = problems;
    collectProblems(page, problems);
    return true;
  };
}
