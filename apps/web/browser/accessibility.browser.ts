import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { type Look, PHONE, type TestSession, testBrowser, testSession, WIDE } from '@hub/testkit/browser/browser';
import { problemsBut401 } from '@hub/testkit/browser/problems';
import { smallTouchTargets } from '@hub/testkit/browser/touch-targets';
import { startTeam } from '@hub/testkit/in-process/team';
import { addMember, memberOf, type UserCaller } from '@hub/testkit/in-process/users';
import type { Browser, Page } from 'playwright-core';

let browser: Browser;
let team: Awaited<ReturnType<typeof startTeam>>;
let admin: UserCaller;
let messageId: string;
beforeAll(async () => {
  browser = await testBrowser();
  team = await startTeam();
  admin = await memberOf(team.hub, team.hubId, { role: 'admin', name: 'Grace Hopper' });
  const { id: otherId } = await team.hub.admin.createHub('Website');
  await addMember(team.hub, otherId, admin.user);
  const message = await team.message(team.bob, 'Shall we move it to **three**, @Grace Hopper?');
  messageId = message.id;
  await team.reply(team.ada, message, 'Yes.');
  await team.ada.json('PUT', `/messages/${message.id}/reactions/${encodeURIComponent('👍')}`);
  await team.ada.json('POST', `/messages/${message.id}/conversion`, { to: 'todo' });
  await team.note(team.bob, { title: 'A note', content: 'with some words in it' });
  await team.post('todos', { title: 'Call back', priority: 'URGENT', dueDate: '2026-03-02T10:00:00Z' });
  await team.post('messages', { text: 'Deployed 4.18.0 in three minutes' });
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

interface View {
  name: string;
  path: () => string;
  /** The element to wait for before the check. */
  ready: string;
  /** Puts the page into the state to check. */
  open?: (page: Page, look: Look) => Promise<void>;
}

const openMenuOf = async (page: Page, look: Look) => {
  if (look.width < 500) await page.locator('.bar .menu-open').click();
  await page.locator('.me').click();
  await page.getByRole('menu').waitFor();
};

const VIEWS: View[] = [
  { name: 'Stream', path: () => '/stream', ready: '.entry' },
  { name: 'Stream without matches', path: () => '/stream?kind=note&unread=true&key=key_x', ready: '.empty' },
  { name: 'Stream with a thread', path: () => `/stream?open=${messageId}`, ready: '#panel .msg' },
  {
    name: 'Stream with the key of a post',
    path: () => '/stream',
    ready: '.entry',
    open: (page) => openOrigin(page),
  },
  { name: 'Mentions', path: () => '/mentions', ready: '.entry' },
  { name: 'Search', path: () => '/search?q=three', ready: '.hit' },
  { name: 'Search without a query', path: () => '/search', ready: '.empty' },
  { name: 'Search without results', path: () => '/search?q=zebra', ready: '.empty h2' },
  { name: 'Settings', path: () => '/settings', ready: '#own-name, #main .nav-row' },
  { name: 'Profile', path: () => '/settings/profile', ready: '#own-name' },
  { name: 'Sessions', path: () => '/settings/sessions', ready: '.sessions li' },
  { name: 'Hub', path: () => `/hubs/${team.hubId}`, ready: '.msg' },
  { name: 'page not found', path: () => '/hubs/hub_nothing', ready: '.empty' },
  { name: 'member menu', path: () => '/mentions', ready: '.entry', open: openMenuOf },
  {
    name: 'filter menu',
    path: () => '/stream',
    ready: '.entry',
    open: async (page) => {
      await page.getByRole('button', { name: 'Hub: All Hubs' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'keyboard shortcuts dialog',
    path: () => '/mentions',
    ready: '.entry',
    open: async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'Hub chooser',
    path: () => '/mentions',
    ready: '.entry',
    open: async (page) => {
      await page.keyboard.press('g');
      await page.keyboard.press('h');
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'Command palette',
    path: () => '/mentions',
    ready: '.entry',
    open: async (page) => {
      await page.keyboard.press('j');
      await page.keyboard.press('Control+k');
      await page.getByRole('group', { name: 'Selected message' }).waitFor();
      await page.keyboard.type('e');
      await page.locator('.palette b').first().waitFor();
    },
  },
  {
    name: 'New Hub dialog',
    path: () => '/mentions',
    ready: '.entry',
    open: async (page, look) => {
      if (look.width < 500) await page.locator('.bar .menu-open').click();
      await page.getByRole('button', { name: 'New Hub' }).click();
      await page.getByRole('button', { name: 'Create Hub' }).click();
      await page.getByText('Enter a name.').waitFor();
    },
  },
];

async function openOrigin(page: Page): Promise<void> {
  await page.locator('.via-key').first().click();
  await page.locator('#panel').waitFor();
}

for (const look of [WIDE, PHONE]) {
  describe(`at ${look.width} pixels axe finds no problems in either theme, and touch targets are large enough, on`, () => {
    let own: TestSession;
    beforeAll(async () => {
      own = await testSession(browser, team.hub, { caller: admin, look });
    });
    afterAll(() => own.context.close());

    for (const { name, path, ready, open } of VIEWS) {
      test(name, async () => {
        const { page, problems } = own;
        await page.goto(path());
        await page.locator(ready).first().waitFor();
        await open?.(page, look);
        expect(await axeInBothThemes(page)).toEqual([]);
        if (look === PHONE) expect(await smallTouchTargets(page)).toEqual([]);
        expect(problems.filter((problem) => !isExpected(problem))).toEqual([]);
      });
    }

    test('the sign-in page and its errors', async () => {
      const { page, problems, context } = await testSession(browser, team.hub, { look });
      await page.goto('/stream');
      await page.getByLabel('E-mail').waitFor();
      expect(await axeInBothThemes(page)).toEqual([]);
      await page.getByLabel('E-mail').fill('nobody@example.org');
      await page.getByLabel('Password', { exact: true }).fill('wrong');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').filter({ hasText: /\w/ }).waitFor();
      expect(await axeInBothThemes(page)).toEqual([]);
      expect(problemsBut401(problems)).toEqual([]);
      await context.close();
    });

    test('the message about a lost connection, and the sign-in dialog over a page', async () => {
      const { page, context } = await testSession(browser, team.hub, { caller: admin, look });
      await page.routeWebSocket('**/api/v1/live', (socket) => socket.close());
      await page.goto(`/hubs/${team.hubId}`);
      await page.getByText('New posts will appear when the connection is back.').waitFor();
      expect(await page.evaluate(coveredByToast)).toEqual([]);
      for (const tab of ['To-dos', 'Notes']) {
        await page.locator('.tabs').getByRole('link', { name: tab }).click();
        await page.locator('.toolbar, .add-row').first().waitFor();
        expect(await page.evaluate(coveredByToast)).toEqual([]);
        if (tab === 'Notes') await page.getByRole('button', { name: 'Write a note' }).click();
        await page.locator('.main :is(.add-row input, .title-field)').focus();
        expect(await page.evaluate(coveredByToast)).toEqual([]);
      }
      expect(await axeInBothThemes(page)).toEqual([]);
      await page.route('**/api/v1/**', (route) =>
        route.fulfill({ status: 401, json: { statusCode: 401, message: 'Sign in.', timestamp: '', path: '' } }),
      );
      // The page may have retried by itself first; if so, the dialog has replaced the button.
      await page.evaluate(() => document.querySelector<HTMLElement>('.connection-toast button')?.click());
      await page.getByRole('dialog', { name: 'Your session ended' }).waitFor();
      expect(await axeInBothThemes(page)).toEqual([]);
      await context.close();
    });
  });
}

/** Runs in the page: returns the controls covered by the connection toast. */
function coveredByToast(): (string | null)[] {
  const box = document.querySelector('.connection-toast .banner')?.getBoundingClientRect() ?? new DOMRect();
  return [...document.querySelectorAll('.main :is(a, button, input)')]
    .filter((element) => {
      const { left, right, top, bottom, width } = element.getBoundingClientRect();
      return width > 0 && left < box.right && right > box.left && top < box.bottom && bottom > box.top;
    })
    .map((element) => element.getAttribute('aria-label') ?? element.textContent);
}

/** Returns whether the problem is a 404: the view of a missing Hub requests data that does not exist. */
function isExpected(problem: string): boolean {
  return problem.includes('status of 404');
}

test('each part of a page can be reached by keyboard, since it is a tab stop or inside one', async () => {
  // Something unread, for "Mark all read".
  await team.message(team.bob, 'Something new');
  const { page, context } = await testSession(browser, team.hub, { caller: admin });
  await page.goto('/stream');
  await page.locator('.entry').first().waitFor();
  const stops: string[] = [];
  for (let n = 0; n < 60; n++) {
    await page.keyboard.press('Tab');
    stops.push(
      await page.evaluate(() => {
        const { activeElement } = document;
        return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent?.trim() ?? '';
      }),
    );
  }
  const order = [
    'Skip to content',
    'Search/',
    'Mentions',
    'New Hub',
    'Settings',
    'Mark all read',
    'Unread',
    'Posts from your Hubs',
  ];
  // Unread counts may follow the names.
  const found = order.map((name) => stops.findIndex((stop) => stop.startsWith(name)));
  expect(found.filter((at) => at < 0)).toEqual([]);
  expect(found).toEqual(found.toSorted((one, other) => one - other));
  // The list of entries is a single tab stop; pressing Tab on the selected entry moves into it.
  await page.locator('.entries').focus();
  await page.keyboard.press('j');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.matches('.entry.is-current a.time'))).toBe(true);
  await context.close();
});
