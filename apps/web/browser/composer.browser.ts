import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { startTeam } from '../../api/src/testing/team.ts';
import { axeFindings } from './axe.ts';
import { PHONE, type Seat, seat, startBrowser, WIDE } from './browser.ts';

let team: Awaited<ReturnType<typeof startTeam>>;
let browser: Awaited<ReturnType<typeof startBrowser>>;
const seats: Seat[] = [];
beforeAll(async () => {
  [team, browser] = await Promise.all([startTeam(), startBrowser()]);
});
afterEach(async () => {
  for (const { context } of seats.splice(0)) await context.close();
});
afterAll(async () => {
  await browser.close();
  await team[Symbol.asyncDispose]();
});

async function sit(look = WIDE, caller = team.ada): Promise<Seat> {
  const taken = await seat(browser, team.hub, { caller, look });
  seats.push(taken);
  await open(taken.page);
  return taken;
}
async function open(page: Page) {
  await page.goto(`/hubs/${team.hubId}`);
  await textOf(page).waitFor();
}
const textOf = (page: Page) => page.getByRole('textbox', { name: 'Message to' });
const unsent = (page: Page) => page.getByRole('article', { name: 'Your message, not sent' });
const POSTS = '**/messages';
let count = 0;
/** Words that no other message has. */
const fresh = (words: string) => {
  count += 1;
  return `${words} ${count}`;
};

test('Enter sends, Shift and Enter break the line, and everybody sees it', async () => {
  const [{ page, faults }, bob] = await Promise.all([sit(), sit(WIDE, team.bob)]);
  const words = fresh('Hello');
  await textOf(page).pressSequentially(words);
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('**there**');
  expect(await textOf(page).inputValue()).toBe(`${words}\n**there**`);
  await page.keyboard.press('Enter');
  expect(await textOf(page).inputValue()).toBe('');
  await bob.page.locator('.msg strong', { hasText: 'there' }).waitFor();
  await page.locator('.msg[id]', { hasText: words }).waitFor();
  expect(await page.locator('.msg:not([id])').count()).toBe(0);
  expect([faults, bob.faults]).toEqual([[], []]);
});

test('Enter that ends a word of an input method sends nothing', async () => {
  const { page } = await sit();
  const words = fresh('Nihon');
  await textOf(page).fill(words);
  await textOf(page).dispatchEvent('keydown', { key: 'Enter', isComposing: true });
  await textOf(page).dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
  expect(await textOf(page).inputValue()).toBe(words);
  await textOf(page).press('Enter');
  expect(await textOf(page).inputValue()).toBe('');
});

test('on the keyboard of a screen Enter breaks the line, and the button sends', async () => {
  const { page } = await sit(PHONE);
  const words = fresh('Line');
  await textOf(page).tap();
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
  await page.keyboard.type('more');
  expect(await textOf(page).inputValue()).toBe(`${words}\nmore`);
  await page.getByRole('button', { name: 'Send' }).tap();
  await page.locator('.msg[id]', { hasText: words }).waitFor();
});

test('a message that is on its way stands where it will be, and nothing moves when it is there', async () => {
  const { page } = await sit();
  const words = fresh('On its way');
  const { promise: mayGo, resolve: go } = Promise.withResolvers<void>();
  await page.route(POSTS, async (route) => {
    if (route.request().method() === 'POST') await mayGo;
    await route.continue();
  });
  await textOf(page).fill(words);
  await textOf(page).press('Enter');
  const sending = page.getByRole('article', { name: 'Your message, being sent' });
  await sending.waitFor();
  const before = await sending.locator('.prose').boundingBox();
  go();
  const there = page.locator('.msg[id]', { hasText: words });
  await there.waitFor();
  await sending.waitFor({ state: 'detached' });
  expect(await there.locator('.prose').boundingBox()).toEqual(before);
});

describe('a message that could not be sent', () => {
  test('is kept through a reload, says that it may have arrived, and is sent again by hand', async () => {
    const { page, faults } = await sit();
    const words = fresh('Lost');
    await page.route(POSTS, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await textOf(page).fill(words);
    await textOf(page).press('Enter');
    await unsent(page).getByText('It may have arrived all the same').waitFor();
    expect(await unsent(page).getByRole('alert').textContent()).toContain('Not sent');
    expect(await axeOf(page)).toEqual([]);
    await page.reload();
    await unsent(page).getByText(words).waitFor();
    await page.unroute(POSTS);
    await unsent(page).getByRole('button', { name: 'Send again' }).click();
    await page.locator('.msg[id]', { hasText: words }).waitFor();
    await unsent(page).waitFor({ state: 'detached' });
    expect(faults.filter((fault) => !fault.includes('ERR_FAILED'))).toEqual([]);
  });

  test('says what the server said, and can be discarded and brought back', async () => {
    const { page } = await sit();
    const words = fresh('Refused');
    await page.route(POSTS, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { statusCode: 400, message: 'Not so.', timestamp: '', path: '' } })
        : route.continue(),
    );
    await textOf(page).fill(words);
    await textOf(page).press('Enter');
    await unsent(page).getByText('Not so.').waitFor();
    expect(await unsent(page).getByText('may have arrived').count()).toBe(0);
    await unsent(page).getByRole('button', { name: 'Discard' }).click();
    await unsent(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await unsent(page).getByText(words).waitFor();
    await unsent(page).getByRole('button', { name: 'Discard' }).click();
  });

  test('over which the page was closed is not sent by itself', async () => {
    const { page } = await sit();
    const words = fresh('Closed');
    await page.route(POSTS, (route) => (route.request().method() === 'POST' ? undefined : route.continue()));
    await textOf(page).fill(words);
    await textOf(page).press('Enter');
    await page.getByRole('article', { name: 'Your message, being sent' }).waitFor();
    await page.reload();
    await unsent(page).getByText('It may have arrived all the same').waitFor();
    await unsent(page).getByRole('button', { name: 'Discard' }).click();
  });

  test('stays where it belongs: another tab shows it too, and sees it go', async () => {
    const { page, context } = await sit();
    const words = fresh('Both');
    await page.route(POSTS, (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()));
    await textOf(page).fill(words);
    await textOf(page).press('Enter');
    await unsent(page).waitFor();
    const other = await context.newPage();
    await open(other);
    await unsent(other).getByText(words).waitFor();
    await unsent(page).getByRole('button', { name: 'Discard' }).click();
    await unsent(other).waitFor({ state: 'detached' });
  });
});

test('a message whose answer was lost is there once its event has come', async () => {
  const { page } = await sit();
  const words = fresh('Answer lost');
  await page.route(POSTS, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    return route.abort();
  });
  await textOf(page).fill(words);
  await textOf(page).press('Enter');
  await page.locator('.msg[id]', { hasText: words }).waitFor();
  await page.locator('.msg:not([id])').waitFor({ state: 'detached' });
});

describe('a draft', () => {
  test('survives a reload, and is gone once it is sent', async () => {
    const { page } = await sit();
    const words = fresh('Draft');
    await textOf(page).fill(words);
    await page.reload();
    expect(await textOf(page).inputValue()).toBe(words);
    await textOf(page).press('Enter');
    await page.locator('.msg[id]', { hasText: words }).waitFor();
    await page.reload();
    expect(await textOf(page).inputValue()).toBe('');
  });

  test('of one tab is not taken away by another that sends', async () => {
    const { page, context } = await sit();
    const other = await context.newPage();
    await open(other);
    const [mine, others] = [fresh('First tab'), fresh('Second tab')];
    await textOf(page).fill(others);
    await other.bringToFront();
    await textOf(other).fill(mine);
    await textOf(other).press('End');
    await page.bringToFront();
    await textOf(page).press('Enter');
    await page.locator('.msg[id]', { hasText: others }).waitFor();
    expect(await textOf(other).inputValue()).toBe(mine);
    await other.reload();
    expect(await textOf(other).inputValue()).toBe(mine);
    await textOf(other).fill('');
  });
});

describe('the tool bar', () => {
  test('marks what is selected, by buttons and keys, and it can be undone', async () => {
    const { page } = await sit();
    await textOf(page).fill('one two');
    await textOf(page).press('Shift+Control+ArrowLeft');
    await page.getByRole('button', { name: 'Bold' }).click();
    expect(await textOf(page).inputValue()).toBe('one **two**');
    await page.keyboard.press('Control+i');
    expect(await textOf(page).inputValue()).toBe('one **_two_**');
    await page.keyboard.press('Control+z');
    expect(await textOf(page).inputValue()).toBe('one **two**');
    await page.getByRole('button', { name: 'List' }).click();
    expect(await textOf(page).inputValue()).toBe('- one **two**');
    await textOf(page).fill('');
  });

  test('shows how it will look in its place', async () => {
    const { page } = await sit();
    await textOf(page).fill('# Plan\n\n- [x] **eat**');
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('group', { name: 'Preview' });
    await preview.locator('h3', { hasText: 'Plan' }).waitFor();
    await preview.locator('.tick.is-done').waitFor();
    expect(await axeOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await textOf(page).evaluate((area) => area === area.ownerDocument.activeElement)).toBe(true);
    expect(await textOf(page).inputValue()).toBe('# Plan\n\n- [x] **eat**');
    await textOf(page).fill('');
  });
});

describe('behind an @', () => {
  test('members are offered; keys choose, Escape closes', async () => {
    const { page } = await sit();
    await textOf(page).pressSequentially('Ask @');
    const list = page.getByRole('listbox', { name: 'Members' });
    await list.waitFor();
    expect(await list.getByRole('option').count()).toBeGreaterThan(1);
    expect(await axeOf(page)).toEqual([]);
    await textOf(page).press('Escape');
    await list.waitFor({ state: 'detached' });
    await textOf(page).fill('Ask ');
    await textOf(page).pressSequentially('@kah');
    await list.getByRole('option', { name: 'Bob Kahn', selected: true }).waitFor();
    const active = (await textOf(page).getAttribute('aria-activedescendant')) ?? '';
    expect(await page.locator(`[id="${active}"]`).textContent()).toContain('Bob Kahn');
    await textOf(page).press('Enter');
    expect(await textOf(page).inputValue()).toBe('Ask @Bob Kahn ');
    await list.waitFor({ state: 'detached' });
    await textOf(page).pressSequentially('and @a');
    await list.waitFor();
    await textOf(page).press('ArrowDown');
    await textOf(page).press('ArrowUp');
    await textOf(page).press('Tab');
    expect(await textOf(page).inputValue()).toBe('Ask @Bob Kahn and @Ada Lovelace ');
    await textOf(page).press('Enter');
    await page.locator('.msg[id] .mention', { hasText: '@Bob Kahn' }).waitFor();
  });
});

test('what is too long is said in time, and not sent', async () => {
  const { page } = await sit();
  const status = page.locator('.composer').getByRole('status');
  await textOf(page).fill('a'.repeat(39_900));
  await status.getByText('100 characters left.').waitFor();
  await textOf(page).fill('a'.repeat(40_002));
  await status.getByText('2 too many: at most 40,000 characters can be sent.').waitFor();
  expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
  await textOf(page).press('Enter');
  expect((await textOf(page).inputValue()).length).toBe(40_002);
  expect(await axeOf(page)).toEqual([]);
  await textOf(page).fill('');
});

test('it grows with its text to 40 % of the height', async () => {
  const { page } = await sit();
  const height = async () => (await textOf(page).boundingBox())?.height ?? 0;
  const low = await height();
  await textOf(page).fill('a\n'.repeat(5));
  expect(await height()).toBeGreaterThan(low + 80);
  await textOf(page).fill('a\n'.repeat(80));
  expect(await height()).toBeCloseTo(0.4 * WIDE.height, 0);
  await textOf(page).fill('');
});

/** The headings between those of the page and those of posts are the feed's. */
async function axeOf(page: Page): Promise<string[]> {
  return (await axeFindings(page)).filter((found) => !found.startsWith('heading-order'));
}
