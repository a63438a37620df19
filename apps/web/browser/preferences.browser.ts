import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { PHONE, testBrowser, testSession } from '@hub/testkit/browser/browser';
import { startTeam } from '@hub/testkit/in-process/team';
import type { Browser, Page } from 'playwright-core';

let browser: Browser;
let team: Awaited<ReturnType<typeof startTeam>>;
let messageId: string;
let noteId: string;
let todoId: string;
beforeAll(async () => {
  [browser, team] = await Promise.all([testBrowser(), startTeam()]);
  const message = await team.message(
    team.bob,
    `Shall **we**, @Ada Lovelace? ${'unbroken'.repeat(40)}\n\n\`\`\`js\n${'x'.repeat(300)}\n\`\`\``,
  );
  await team.reply(team.bob, message, 'Yes');
  await team.ada.json('PUT', `/messages/${message.id}/reactions/${encodeURIComponent('👍')}`);
  await team.post('messages', { text: '| a | b |\n|---|---|\n| 1 | 2 |' });
  const note = await team.note(team.ada, { title: 'Restoring'.repeat(12), content: 'First this.' });
  const todo = await team.todo(team.ada, {
    title: 'Renew'.repeat(40),
    priority: 'URGENT',
    dueDate: '2026-03-01T09:00:00Z',
  });
  [messageId, noteId, todoId] = [message.id, note.id, todo.id];
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

const VIEWS: { path: () => string; ready: string }[] = [
  { path: () => '/stream', ready: '.entry' },
  { path: () => '/mentions', ready: '.entry' },
  { path: () => '/todos', ready: '.main' },
  { path: () => '/search?q=shall', ready: '.hit' },
  { path: () => '/settings', ready: '#own-name, #main .nav-row' },
  { path: () => '/settings/profile', ready: '#own-name' },
  { path: () => '/settings/sessions', ready: '.sessions li' },
  { path: () => `/hubs/${team.hubId}`, ready: '.msg' },
  { path: () => `/hubs/${team.hubId}/todos`, ready: '.todo' },
  { path: () => `/hubs/${team.hubId}/notes`, ready: '.note' },
  { path: () => `/hubs/${team.hubId}?open=${messageId}`, ready: '#panel .msg' },
  { path: () => `/hubs/${team.hubId}/notes?open=${noteId}`, ready: '#panel h2' },
  { path: () => `/hubs/${team.hubId}/todos?open=${todoId}`, ready: '#panel h2' },
];

/** Returns elements that overflow the window sideways, if the page scrolls sideways. */
async function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
      .map((element) => element.tagName + '.' + element.className).slice(0, 5);
  })()`);
}

/** Doubles the text size. */
async function enlarge(page: Page): Promise<void> {
  await page.evaluate(async () => {
    document.documentElement.style.fontSize = '200%';
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    // Wait for a panel that is still sliding in, since it has not reached its final position.
    const sliding = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations === 1);
    await Promise.allSettled(sliding.map(({ finished }) => finished));
  });
}

/** Returns controls outside the window that no container can scroll into view. */
async function unreachable(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const found = [];
    for (const element of document.querySelectorAll('button, a[href], input, textarea')) {
      if (element.closest('[inert], .sr, .skip') || !element.checkVisibility({ visibilityProperty: true })) continue;
      const { left, right, width } = element.getBoundingClientRect();
      if (width <= 1 || (left >= -1 && right <= innerWidth + 1)) continue;
      let around = element.parentElement;
      while (around && !/auto|scroll/.test(getComputedStyle(around).overflowX)) around = around.parentElement;
      if (!around || around.scrollWidth <= around.clientWidth) found.push(element.outerHTML.slice(0, 120));
    }
    return found;
  })()`);
}

describe('with text at twice the size on a phone', () => {
  test('no page scrolls sideways, and every control can be reached', async () => {
    const { page, context } = await testSession(browser, team.hub, { caller: team.ada, look: PHONE });
    for (const { path, ready } of VIEWS) {
      await page.goto(path());
      await page.locator(ready).first().waitFor();
      await enlarge(page);
      expect([path(), await overflowing(page), await unreachable(page)]).toEqual([path(), [], []]);
    }
    await context.clearCookies();
    for (const path of ['/stream', '/join#x', '/setup#x']) {
      await page.goto(path);
      await page.locator('h1').waitFor();
      await enlarge(page);
      expect([path, await overflowing(page), await unreachable(page)]).toEqual([path, [], []]);
    }
    await context.close();
  }, 40_000);
});

describe('with reduced motion', () => {
  test('nothing moves: there are no transitions, animations or smooth scrolling', async () => {
    const { page, context } = await testSession(browser, team.hub, { caller: team.ada });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const { path, ready } of VIEWS) {
      await page.goto(path());
      await page.locator(ready).first().waitFor();
      const moving = await page.evaluate(() =>
        [...document.querySelectorAll('*')].flatMap((element) => {
          const { animationName, animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(element);
          const isLong = (times: string) => times.split(',').some((time) => Number.parseFloat(time) > 0.01);
          const moves =
            (animationName !== 'none' && isLong(animationDuration)) ||
            isLong(transitionDuration) ||
            scrollBehavior === 'smooth';
          return moves ? [`${element.tagName}.${element.className}`] : [];
        }),
      );
      expect([path(), moving]).toEqual([path(), []]);
    }
    await context.close();
  }, 40_000);
});

describe('in forced colors', () => {
  test('selected, pressed, unread and focused elements remain distinguishable', async () => {
    const { page, context } = await testSession(browser, team.hub, { caller: team.ada });
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto(`/hubs/${team.hubId}?open=${messageId}`);
    await page.locator('#panel .msg').first().waitFor();
    const apart = (one: string, other: string) =>
      page.evaluate(
        ([first, second]) => {
          const look = (selector: string) => {
            const element = document.querySelector(selector);
            if (!element) return selector;
            const {
              borderStyle,
              borderWidth,
              outlineStyle,
              backgroundColor,
              color,
              fontWeight,
              boxShadow,
              textDecorationLine,
            } = getComputedStyle(element);
            const line = borderStyle === 'none' ? '' : borderWidth;
            return [line, outlineStyle, backgroundColor, color, fontWeight, boxShadow, textDecorationLine].join(' ');
          };
          return look(first ?? '') !== look(second ?? '');
        },
        [one, other],
      );
    expect(await apart('.side .nav-row[aria-current="page"]', '.side .nav-row:not([aria-current])')).toBe(true);
    expect(await apart('.tab[aria-current="page"]', '.tab:not([aria-current])')).toBe(true);
    expect(await apart('.chip[aria-pressed="true"]', '.chip:not([aria-pressed="true"])')).toBe(true);
    await page.keyboard.press('k');
    expect(
      await page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
        return outlineStyle !== 'none' && outlineWidth !== '0px';
      }),
    ).toBe(true);
    const edges = await page.evaluate(() =>
      [...document.querySelectorAll('.composer, .panel')].map((element) => {
        const { borderStyle, outlineStyle, borderInlineStartStyle } = getComputedStyle(element);
        return [
          element.className,
          [borderStyle, outlineStyle, borderInlineStartStyle].some((style) => style !== 'none'),
        ];
      }),
    );
    expect(edges.filter(([, hasEdge]) => hasEdge === false)).toEqual([]);
    await context.close();
  });
});
