import { expect } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { startTestHub } from '../../api/src/testing/start-test-hub.ts';
import { teamOn } from '../../api/src/testing/team.ts';
import { testSession } from './browser.ts';
import { startCuttable } from './cuttable.ts';
import { painted } from './hub-test-sessions.ts';

const AS_FRESH_MS = 10_000;

/** A team on a server that browsers reach by a way that can be cut. */
export async function startCuttableTeam(browser: Browser) {
  const way = await startCuttable();
  const hub = await startTestHub({ baseUrl: way.url });
  way.lead(hub);
  const team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
  return {
    ...team,
    hub,
    way,
    open: (options: Parameters<typeof testSession>[2] = {}) =>
      testSession(browser, { ...hub, url: way.url }, { caller: team.ada, ...options }),
    [Symbol.asyncDispose]: async () => {
      way.close();
      await hub[Symbol.asyncDispose]();
    },
  };
}

export type CuttableTeam = Awaited<ReturnType<typeof startCuttableTeam>>;

const PARTS =
  '.side .nav-row, .entry, .msg, .newline, .day, .todo, .group, .notes .note, .panel-title, .panel-scroll > *, .empty';

/** What a page shows, without what depends on where the pointer or the focus is. */
export function shown(page: Page): Promise<string[]> {
  return page.locator(PARTS).evaluateAll((parts) =>
    parts.map((part) => {
      const classes = [...part.classList].filter((name) => name !== 'is-current');
      return `${classes.join('.')}|${part.textContent?.replace(/\s+/g, ' ').trim()}`;
    }),
  );
}

/** Ids of items that a list of the page has more than once. */
export function twice(page: Page): Promise<string[]> {
  return page.locator('.entries, .feed, .todo-groups, .notes, .panel-scroll').evaluateAll((lists) =>
    lists.flatMap((list) => {
      const rows = [...list.querySelectorAll<HTMLElement>('[data-item], [data-row], [data-todo], [data-note]')];
      const ids = rows.map(({ dataset: { item, row, todo, note } }) => item ?? row ?? todo ?? note ?? '');
      return ids.filter((id, place) => ids.indexOf(id) !== place);
    }),
  );
}

/** The page comes to show what a page shows that is loaded now, and nothing twice. */
export async function expectAsFresh(recovered: Page, fresh: Page): Promise<void> {
  const until = performance.now() + AS_FRESH_MS;
  for (;;) {
    const [found, wanted] = [await shown(recovered), await shown(fresh)];
    if (JSON.stringify(found) === JSON.stringify(wanted)) break;
    // What is different is said best by this.
    if (performance.now() > until) expect(found).toEqual(wanted);
    await painted(recovered);
  }
  expect(await twice(recovered)).toEqual([]);
}
