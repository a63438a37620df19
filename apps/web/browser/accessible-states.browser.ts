import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { axeInBothThemes } from '@hub/testkit/browser/axe';
import { type Look, PHONE, type TestSession, testBrowser, testSession, WIDE } from '@hub/testkit/browser/browser';
import { smallTouchTargets } from '@hub/testkit/browser/touch-targets';
import { startTeam } from '@hub/testkit/in-process/team';
import { memberOf, type UserCaller } from '@hub/testkit/in-process/users';
import type { Browser, Page } from 'playwright-core';

let browser: Browser;
let team: Awaited<ReturnType<typeof startTeam>>;
let admin: UserCaller;
let emptyHubId: string;
let ids: Record<'own' | 'bot' | 'note' | 'todo', string>;

const BLOCKS = [
  { type: 'header', data: { text: 'What went out', level: 2 } },
  { type: 'list', data: { style: 'checklist', items: [{ content: 'one', meta: { checked: true } }] } },
  { type: 'quote', data: { text: 'Well done', caption: 'Ada' } },
  { type: 'code', data: { code: 'bun run start' } },
  { type: 'table', data: { withHeadings: true, content: [['a'], ['b']] } },
  { type: 'warning', data: { title: 'Careful', message: 'with that' } },
  { type: 'image', data: { file: { url: 'https://pictures.example/i.png' }, caption: 'A chart' } },
  { type: 'poll', data: { question: 'Which?' } },
];

beforeAll(async () => {
  [browser, team] = await Promise.all([testBrowser(), startTeam()]);
  admin = await memberOf(team.hub, team.hubId, { role: 'admin', name: 'Grace Hopper' });
  ({ id: emptyHubId } = await team.hub.admin.createHub('Nothing yet'));
  await admin.json('POST', `/hubs/${emptyHubId}/members`, { userId: admin.user.id });
  await team.message(team.bob, Array.from({ length: 60 }, (_, n) => `Line ${n}`).join('\n\n'));
  const bot = await team.post('messages', { blocks: BLOCKS });
  await team.ada.json('PUT', `/messages/${bot.id}/reactions/${encodeURIComponent('🎉')}`);
  const own = await team.message(
    admin,
    'Shall we, @Bob Kahn?\n\n```js\nconst a = 1;\n```\n\n- [x] done\n\n~~no~~ `yes` <https://a.example/>',
  );
  await team.reply(team.bob, own, 'Yes.');
  const note = await team.note(team.ada, { title: 'Restoring', content: '# How\n\nFirst **this**.' });
  const todo = await team.todo(team.ada, {
    title: 'Renew the certificate',
    content: 'Before it ends',
    priority: 'HIGH',
    dueDate: '2026-03-01T09:00:00Z',
    assigneeId: admin.user.id,
  });
  const done = await team.todo(team.bob, { title: 'Done already' });
  await team.bob.json('PATCH', `/todos/${done.id}`, { status: 'done' });
  // Everything has been read, so the page opens at the newest message regardless of which states were checked before.
  await admin.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
  ids = { own: own.id, bot: bot.id, note: note.id, todo: todo.id };
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

interface State {
  name: string;
  path?: () => string;
  /** The element to wait for before the state is set up. */
  ready?: string;
  open?: (page: Page, look: Look) => Promise<unknown>;
}

const row = (page: Page, id: string) => page.locator(`.feed [data-row="${id}"]`);
const act = async (page: Page, key: string) => {
  await page.keyboard.press('k');
  await row(page, ids.own).and(page.locator(':focus')).waitFor();
  await page.keyboard.press(key);
};
const moreOf = async (page: Page) => {
  await page.keyboard.press('k');
  await row(page, ids.own).hover();
  await row(page, ids.own).getByRole('button', { name: 'More' }).click();
  await page.getByRole('menu').waitFor();
};
const inHub = (rest = '') => `/hubs/${team.hubId}${rest}`;

const STATES: State[] = [
  { name: 'a selected message with its toolbar', open: (page) => page.keyboard.press('k') },
  { name: 'the menu of a message', open: (page) => moreOf(page) },
  {
    name: 'a message being edited',
    open: async (page) => {
      await moreOf(page);
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await page.getByRole('textbox', { name: 'Message text' }).waitFor();
    },
  },
  {
    name: 'the confirmation to delete a message',
    open: async (page) => {
      await moreOf(page);
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'the emoji picker',
    open: async (page) => {
      await act(page, 'e');
      await page.getByRole('gridcell', { name: 'grinning face', exact: true }).waitFor();
      // Checking every emoji takes axe half a minute.
      await page.getByRole('searchbox').fill('rocket');
      await page.getByRole('gridcell', { name: 'grinning face', exact: true }).waitFor({ state: 'detached' });
    },
  },
  {
    name: 'the composer with suggested names',
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Message to' }).pressSequentially('Hello @');
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'the composer preview',
    open: async (page) => {
      await page.getByRole('textbox', { name: 'Message to' }).fill('**Hello** `there`');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.locator('.composer .prose').waitFor();
    },
  },
  {
    name: 'a message that could not be sent',
    open: async (page) => {
      await page.route('**/messages', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.continue(),
      );
      await page.getByRole('textbox', { name: 'Message to' }).fill('Lost');
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('article', { name: 'Your message, not sent' }).waitFor();
    },
  },
  {
    name: 'an expanded post',
    open: (page) => page.getByRole('button', { name: 'Show more' }).first().click(),
  },
  { name: 'a thread', path: () => inHub(`?open=${ids.own}`), ready: '#panel .msg' },
  { name: 'the key of a post', path: () => inHub(`?open=${ids.bot}&show=origin`), ready: '#panel h2' },
  {
    name: 'the confirmation to revoke a key',
    path: () => inHub(`?open=${ids.bot}&show=origin`),
    ready: '#panel h2',
    open: async (page) => {
      await page.getByRole('button', { name: 'Revoke key' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'the Hub menu and its members',
    open: async (page) => {
      await page.getByRole('button', { name: 'Hub options' }).click();
      await page.getByRole('menuitem', { name: 'Members' }).click();
      await page.getByRole('dialog').getByText('Ada Lovelace').waitFor();
    },
  },
  { name: 'an empty Hub', path: () => `/hubs/${emptyHubId}`, ready: '.empty h2' },
  { name: 'a Hub without to-dos', path: () => `/hubs/${emptyHubId}/todos`, ready: '.empty' },
  { name: 'a Hub without notes', path: () => `/hubs/${emptyHubId}/notes`, ready: '.empty' },
  { name: 'to-dos', path: () => inHub('/todos'), ready: '.todo' },
  {
    name: 'to-dos including completed ones',
    path: () => inHub('/todos?status=done'),
    ready: '.todo',
  },
  { name: 'a to-do', path: () => inHub(`/todos?open=${ids.todo}`), ready: '#panel h2' },
  {
    name: 'the assignee picker',
    path: () => inHub(`/todos?open=${ids.todo}`),
    ready: '#panel h2',
    open: async (page) => {
      await page
        .locator('#panel')
        .getByRole('button', { name: /^Assignee/ })
        .click();
      await page.getByRole('option').nth(1).waitFor();
    },
  },
  {
    name: 'the due date picker',
    path: () => inHub(`/todos?open=${ids.todo}`),
    ready: '#panel h2',
    open: async (page) => {
      await page
        .locator('#panel')
        .getByRole('button', { name: /^(?:Overdue, d|D)ue/ })
        .click();
      await page.locator('#panel').getByRole('button', { name: 'Tomorrow' }).waitFor();
    },
  },
  {
    name: 'a to-do being edited',
    path: () => inHub(`/todos?open=${ids.todo}`),
    ready: '#panel h2',
    open: async (page) => {
      await page.locator('#panel').getByRole('button', { name: 'Edit' }).click();
      await page.getByRole('textbox', { name: 'Title' }).waitFor();
    },
  },
  { name: 'notes', path: () => inHub('/notes'), ready: '.note' },
  { name: 'a note', path: () => inHub(`/notes?open=${ids.note}`), ready: '#panel h2' },
  {
    name: 'a note being written',
    path: () => inHub('/notes'),
    ready: '.note',
    open: (page) => page.getByRole('button', { name: 'Write a note' }).click(),
  },
  {
    name: 'a note being edited',
    path: () => inHub(`/notes?open=${ids.note}`),
    ready: '#panel h2',
    open: (page) => page.locator('#panel').getByRole('button', { name: 'Edit' }).click(),
  },
  { name: 'My to-dos', path: () => '/todos', ready: '.todo' },
  {
    name: 'the sidebar or drawer',
    open: async (page, { width }) => {
      if (width < 500) await page.locator('.bar .menu-open').click();
      await page.locator('.me').waitFor();
    },
  },
  {
    name: 'a conversation that is loading',
    path: () => '/mentions',
    ready: '.main',
    open: async (page) => {
      await page.route('**/api/v1/hubs/*/messages*', () => {});
      await page.goto(inHub());
      await page.locator('.skeleton-line').first().waitFor();
    },
  },
  {
    name: 'a conversation that could not be loaded',
    path: () => '/mentions',
    ready: '.main',
    open: async (page) => {
      await page.route('**/api/v1/hubs/*/messages*', (route) =>
        route.fulfill({ status: 500, json: { statusCode: 500, message: 'It broke.', timestamp: '', path: '' } }),
      );
      await page.goto(inHub());
      await page.getByRole('heading', { name: 'Couldn’t load messages' }).waitFor();
      await page.getByText('It broke.').waitFor();
    },
  },
  {
    name: 'a toast',
    open: async (page) => {
      await act(page, 'y');
      await page.locator('.toast').waitFor();
    },
  },
];

/** Errors that are expected because the server fails and an address is blocked. */
const isExpected = (problem: string) => /status of 500|ERR_FAILED/.test(problem);

for (const look of [WIDE, PHONE]) {
  describe(`at ${look.width} pixels axe finds no problems in either theme, and touch targets are large enough, on`, () => {
    let own: TestSession;
    beforeAll(async () => {
      own = await testSession(browser, team.hub, { caller: admin, look });
      await own.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    });
    afterAll(() => own.context.close());

    for (const { name, path = inHub, ready = '.feed:not(.is-unplaced) .msg', open } of STATES) {
      test(name, async () => {
        const { page, problems } = own;
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await page.evaluate(() => localStorage.clear()).catch(() => {});
        await page.goto(path());
        await page.locator(ready).first().waitFor();
        await open?.(page, look);
        expect(await axeInBothThemes(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
        if (look === PHONE) expect(await smallTouchTargets(page)).toEqual([]);
        expect(problems.filter((problem) => !isExpected(problem))).toEqual([]);
      });
    }
  });
}

test('the page says that it is offline, and axe finds no problems in that state', async () => {
  const { page, context } = await testSession(browser, team.hub, { caller: admin });
  await page.routeWebSocket('**/api/v1/live', (socket) => socket.close());
  await page.goto(inHub());
  await page.getByText('Reconnecting.').waitFor();
  await context.setOffline(true);
  await page.getByText('You’re offline.').waitFor();
  expect(await axeInBothThemes(page)).toEqual([]);
  await context.close();
});
