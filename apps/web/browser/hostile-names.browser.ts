import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { post, startTestHub, type TestHub } from '../../api/src/testing/start-test-hub.ts';
import { addMember, adminJson, memberOf, type UserCaller } from '../../api/src/testing/users.ts';
import { startBrowser, type TestSession, testSession } from './browser.ts';

/** What may stand in a name, and is not to be more than that. */
const NAMES = [
  '<img src=x onerror=__ran()>',
  '"><script>__ran()</script>',
  '\'-__ran()-\'" onfocus=__ran() autofocus x="',
  '{{constructor.constructor("__ran()")()}}',
  'javascript:__ran()',
  '</title><svg onload=__ran()>',
  '&lt;img src=x onerror=__ran()&gt;',
  '__proto__',
  'constructor',
  '@here [x](javascript:__ran()) **b**',
];
const MARKUP = NAMES.slice(0, 3).join(' ');
/** Turns what follows it, unless it is kept to itself. */
const TURNING = 'invoice \u202egpj.exe';

let browser: Browser;
let hub: TestHub;
let hubId: string;
let mallory: UserCaller;
let own: TestSession;
let messageId: string;
let noteId: string;
let todoId: string;
let botPostId: string;
const hubIds: string[] = [];
const elsewhere: string[] = [];

beforeAll(async () => {
  [browser, hub] = await Promise.all([startBrowser(), startTestHub()]);
  await adminJson(hub, 'PATCH', '/workspace', { name: NAMES[5], botName: NAMES[0] });
  for (const name of NAMES) await furnish(name);
  for (const id of hubIds.slice(0, -1)) await addMember(hub, id, mallory.user);
  own = await testSession(browser, hub, { caller: mallory });
  await own.context.addInitScript(`
    globalThis.ran = 0;
    globalThis.__ran = () => { globalThis.ran += 1; };
    globalThis.reports = [];
    addEventListener('securitypolicyviolation', (event) => reports.push(event.violatedDirective + ' ' + event.blockedURI));
  `);
  await own.context.route(
    (url) => url.origin !== hub.url,
    (route) => {
      elsewhere.push(route.request().url());
      return route.abort();
    },
  );
});
afterAll(async () => {
  await browser.close();
  await hub[Symbol.asyncDispose]();
});

/** A Hub, a key, a person, and posts of each kind, all of this name. */
async function furnish(name: string): Promise<void> {
  ({ id: hubId } = await hub.admin.createHub(name));
  const caller = await memberOf(hub, hubId, { name, role: 'admin' });
  hubIds.push(hubId);
  mallory = caller;
  const { key } = await hub.admin.issueKey({ hubId, name });
  const write = (path: string, body: object) => caller.json<{ id: string }>('POST', path, body);
  const { body: message } = await write(`/hubs/${hubId}/messages`, { text: `@${name} ${MARKUP} three` });
  await write(`/messages/${message.id}/replies`, { text: `${name} ${TURNING}` });
  await write(`/messages/${message.id}/conversion`, { to: 'todo', title: `${name} ${TURNING}` });
  const note = await write(`/hubs/${hubId}/notes`, { title: `${name} ${TURNING}`, content: MARKUP });
  const todo = await write(`/hubs/${hubId}/todos`, { title: `${name} ${TURNING}`, assigneeId: caller.user.id });
  [messageId, noteId, todoId] = [message.id, note.body.id, todo.body.id];
  const blocks = [{ type: name, data: { [name]: name, text: MARKUP } }];
  await post(hub, 'notes', key, { title: `${name} ${TURNING}`, content: `\`\`\`${name}\n${name}\n\`\`\`` });
  const response = await post(hub, 'messages', key, { blocks });
  botPostId = ((await response.json()) as { data: { id: string } }).data.id;
}

/** What is in the page and must not be: nothing. */
const PROBLEMS = `(() => {
  const faults = [];
  for (const element of document.querySelectorAll('*')) {
    if (/^(?:IFRAME|OBJECT|EMBED|BASE|STYLE)$/.test(element.tagName)) faults.push(element.tagName);
    if (element.tagName === 'SCRIPT' && new URL(element.src).origin !== location.origin) faults.push(element.outerHTML);
    for (const { name } of element.attributes) if (/^on/i.test(name)) faults.push(element.tagName + ' ' + name);
    if (element.tagName === 'A' && !/^(?:https?|mailto):$/.test(element.protocol)) faults.push(element.outerHTML);
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (!text.data.includes('\\u202e') || text.data.includes('\\u202c')) continue;
    let around = text.parentElement;
    const style = () => getComputedStyle(around);
    while (style().display === 'inline' && !/isolate|plaintext/.test(style().unicodeBidi)) around = around.parentElement;
    // All of the line of what was found is by one author.
    if (around.matches('.hit .line')) continue;
    if (around.textContent.trim() !== text.data.trim()) faults.push('turns ' + around.outerHTML.slice(0, 400));
  }
  return faults;
})()`;

async function expectPeace(page: Page, where: string): Promise<void> {
  expect([where, await page.evaluate(PROBLEMS)]).toEqual([where, []]);
  expect([where, await page.evaluate('[ran, reports, location.origin]')]).toEqual([where, [0, [], hub.url]]);
  // A Hub that was deleted while one looks is asked for once more.
  expect([elsewhere, own.problems.filter((problem) => !problem.includes('status of 404'))]).toEqual([[], []]);
}

test('names, titles and texts are text on every page, in every panel and in the title of the document', async () => {
  const { page } = own;
  const views: [path: string, ready: string][] = [
    ['/stream', '.entry'],
    ['/mentions', '.main'],
    ['/todos', '.todo'],
    ['/search?q=three', '.hit'],
    ['/search?q=script', '.hit'],
    ['/settings', '#own-name'],
    ['/settings/sessions', '.sessions li'],
    ['/settings/keys', 'main :text("constructor")'],
    ['/settings/members', 'main :text("constructor")'],
    ['/settings/hubs', 'main :text("constructor")'],
    ['/settings/audit', 'main :text("constructor")'],
    [`/hubs/${hubId}`, '.msg'],
    [`/hubs/${hubId}/todos`, '.todo'],
    [`/hubs/${hubId}/notes`, '.note'],
    [`/hubs/${hubId}?open=${messageId}`, '#panel .msg'],
    [`/hubs/${hubId}/notes?open=${noteId}`, '#panel h2'],
    [`/hubs/${hubId}/todos?open=${todoId}`, '#panel h2'],
    [`/hubs/${hubId}?open=${botPostId}&show=origin`, '#panel h2'],
  ];
  for (const [path, ready] of views) {
    await page.goto(path);
    await page.locator(ready).first().waitFor();
    await expectPeace(page, path);
  }
  await page.goto(`/hubs/${hubId}`);
  await page.locator('h1', { hasText: NAMES.at(-1) ?? '' }).waitFor();
  const side = (await page.locator('.side').textContent()) ?? '';
  expect(NAMES.filter((name) => !side.includes(name))).toEqual([]);
  expect(await page.title()).toContain(NAMES.at(-1) ?? '?');
}, 40_000);

test('so they are in dialogs, menus, choices of people and Hubs, completions and toasts', async () => {
  const { page } = own;
  await page.goto(`/hubs/${hubId}?open=${botPostId}&show=origin`);
  await page.getByRole('button', { name: 'Revoke this key' }).click();
  await page.getByRole('dialog').waitFor();
  await expectPeace(page, 'the question before a key is revoked');
  await page.goto(`/hubs/${hubId}`);
  await page.locator('.msg').first().waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await page.getByRole('option').first().waitFor();
  await expectPeace(page, 'the chooser of Hubs');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'More about this Hub' }).click();
  await page.getByRole('menuitem', { name: 'Members' }).click();
  await page
    .getByRole('dialog')
    .getByText(NAMES.at(-1) ?? '')
    .first()
    .waitFor();
  await expectPeace(page, 'the members');
  await page.keyboard.press('Escape');
  const text = page.getByRole('textbox', { name: 'Message to' });
  await text.fill('');
  await text.pressSequentially('@');
  await page.getByRole('option').first().waitFor();
  await expectPeace(page, 'the completion of names');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.locator('.msg .mention').last().waitFor();
  await expectPeace(page, 'a mention');
  await page.goto(`/hubs/${hubId}/todos?open=${todoId}`);
  await page
    .locator('#panel')
    .getByRole('button', { name: /^Assignee/ })
    .click();
  await page.getByRole('option').nth(1).waitFor();
  await expectPeace(page, 'the choice of people');
  await page.goto('/stream');
  await page.getByRole('button', { name: /^Hub: / }).click();
  await page.getByRole('menu').waitFor();
  await expectPeace(page, 'the filter by Hub');
}, 40_000);

test('so they are at the way in, and where a Hub is taken away while one looks', async () => {
  const { page } = own;
  await page.goto(`/hubs/${hubId}`);
  await page.locator('.msg').first().waitFor();
  await hub.admin.raw('DELETE', `/hubs/${hubId}`);
  await page.getByText('deleted').first().waitFor();
  await expectPeace(page, 'a Hub that was deleted');
  await page.locator('.me').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByLabel('E-mail').waitFor();
  await page.getByRole('heading', { name: NAMES[5] ?? '' }).waitFor();
  expect(await page.evaluate(PROBLEMS)).toEqual([]);
  expect(await page.evaluate('ran')).toBe(0);
});
