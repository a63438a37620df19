import { expect } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { teamOn } from '../in-process/team.ts';
import { startTestHub } from '../in-process/test-hub.ts';
import { TestProxy } from '../proxy.ts';
import { testSession } from './browser.ts';
import { painted } from './hub-test-sessions.ts';

const AS_FRESH_MS = 30_000;

/** Starts a team on a server behind a proxy that tests can take offline. */
export async function startProxiedTeam(browser: Browser) {
  const proxy = new TestProxy();
  const hub = await startTestHub({ baseUrl: proxy.url });
  proxy.forwardTo(hub);
  const team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
  return {
    ...team,
    hub,
    proxy,
    open: (options: Parameters<typeof testSession>[2] = {}) =>
      testSession(browser, { ...hub, url: proxy.url }, { caller: team.ada, ...options }),
    [Symbol.asyncDispose]: async () => {
      proxy.close();
      await hub[Symbol.asyncDispose]();
    },
  };
}

export type ProxiedTeam = Awaited<ReturnType<typeof startProxiedTeam>>;

const PARTS =
  '.side .nav-row, .entry, .msg, .new-divider, .day, .todo, .group, .notes .note, .panel-title, .panel-scroll > *, .empty';

/** Returns the visible parts of a page, except for pointer and focus states. */
function shown(page: Page): Promise<string[]> {
  return page.locator(PARTS).evaluateAll((parts) =>
    parts.map((part) => {
      const classes = [...part.classList].filter((name) => name !== 'is-current');
      return `${classes.join('.')}|${part.textContent?.replace(/\s+/g, ' ').trim()}`;
    }),
  );
}

/** Returns the ids of items that a list shows more than once. */
function duplicateIds(page: Page): Promise<string[]> {
  return page.locator('.entries, .feed, .todo-groups, .notes, .panel-scroll').evaluateAll((lists) =>
    lists.flatMap((list) => {
      const rows = [...list.querySelectorAll<HTMLElement>('[data-item], [data-row], [data-todo], [data-note]')];
      const ids = rows.map(({ dataset: { item, row, todo, note } }) => item ?? row ?? todo ?? note ?? '');
      return ids.filter((id, index) => ids.indexOf(id) !== index);
    }),
  );
}

/** Waits until the page shows the same content as a freshly loaded one, without duplicates. */
export async function expectAsFresh(recovered: Page, fresh: Page): Promise<void> {
  const until = performance.now() + AS_FRESH_MS;
  for (;;) {
    const [found, wanted] = [await shown(recovered), await shown(fresh)];
    if (JSON.stringify(found) === JSON.stringify(wanted)) break;
    // This assertion fails with the most useful difference.
    if (performance.now() > until) expect(found).toEqual(wanted);
    await painted(recovered);
  }
  expect(await duplicateIds(recovered)).toEqual([]);
}
