import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Look, testBrowser, testSession } from '@hub/testkit/browser/browser';
import { startTeam } from '@hub/testkit/in-process/team';
import type { Browser, Locator, Page } from 'playwright-core';

const LARGE: Look = { width: 1920, height: 1080, scheme: 'light' };
const TEXT = 'The deploy finished and every check passed, so the old machines can be switched off tomorrow morning. ';

let browser: Browser;
let team: Awaited<ReturnType<typeof startTeam>>;

beforeAll(async () => {
  browser = await testBrowser();
  team = await startTeam();
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

async function open(path: string, look = LARGE): Promise<Page> {
  const { page } = await testSession(browser, team.hub, { caller: team.ada, look });
  await page.goto(path);
  return page;
}

const boxOf = async (part: Locator) => {
  const box = await part.boundingBox();
  if (!box) throw new Error('Not visible');
  return box;
};

test.each([
  ['the Hub', (hubId: string) => `/hubs/${hubId}`, '.main .msg .prose p'],
  ['the Stream', () => '/stream', '.entry .prose p'],
])('at 1920 pixels, opening a thread moves no text in %s and leaves the thread room', async (_, path, text) => {
  const message = await team.message(team.bob, TEXT.repeat(3));
  const page = await open(path(team.hubId));
  const paragraph = page.locator(text).last();
  await paragraph.waitFor();
  const before = await boxOf(paragraph);
  await page.goto(`${path(team.hubId)}?open=${message.id}`);
  await page.locator('#panel .prose').waitFor();
  const panel = await boxOf(page.locator('#panel'));
  expect(await boxOf(paragraph)).toEqual(before);
  expect(panel.width).toBeGreaterThanOrEqual(640);
  await page.context().close();
});

test('at 1280 pixels, opening a note moves no note in the list up or down', async () => {
  const { id } = await team.note(team.bob, { title: 'How to release', content: TEXT });
  const page = await open(`/hubs/${team.hubId}/notes`, { ...LARGE, width: 1280, height: 800 });
  const card = page.locator('.main .note', { hasText: 'How to release' });
  const before = (await boxOf(card)).y;
  await page.goto(`/hubs/${team.hubId}/notes?open=${id}`);
  await page.locator('#panel .prose').waitFor();
  expect((await boxOf(card)).y).toBe(before);
  await page.context().close();
});

test('at 2560 pixels, code is wider than text, and no wider than beside the panel', async () => {
  const message = await team.message(team.bob, `${TEXT.repeat(3)}\n\n\`\`\`\n${'column '.repeat(60)}\n\`\`\``);
  const page = await open(`/hubs/${team.hubId}`, { ...LARGE, width: 2560 });
  const [text, code] = [page.locator('.main .msg .prose p').last(), page.locator('.main .msg .code').last()];
  await code.waitFor();
  const [textBox, codeBox] = [await boxOf(text), await boxOf(code)];
  expect(codeBox.width).toBeGreaterThan(1.5 * textBox.width);
  await page.goto(`/hubs/${team.hubId}?open=${message.id}`);
  await page.locator('#panel .prose').waitFor();
  expect([(await boxOf(text)).width, (await boxOf(code)).width]).toEqual([textBox.width, codeBox.width]);
  await page.context().close();
});

test('at 1920 pixels, results are as wide as the page, notes as wide as their editor, and tables of the settings use most of it', async () => {
  await team.note(team.ada, { title: 'Moving', content: TEXT });
  const page = await open(`/search?q=deploy`);
  const right = async (part: Locator) => {
    const { x, width } = await boxOf(part);
    return x + width;
  };
  expect(await right(page.locator('a.hit').first())).toBe(1920);
  await page.goto(`/hubs/${team.hubId}/notes`);
  const note = await boxOf(page.locator('.notes .note').first());
  await page.getByRole('button', { name: 'Write a note' }).click();
  expect((await boxOf(page.locator('.note-editor'))).width).toBe(note.width);
  await page.goto('/settings/keys');
  expect((await boxOf(page.locator('.settings-in'))).width).toBeGreaterThan(1400);
  await page.context().close();
});
