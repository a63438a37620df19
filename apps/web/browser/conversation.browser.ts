import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Hub, Message, Todo } from '@hub/contract';
import type { Browser, Page } from 'playwright-core';
import { createPerson, signIn } from '../../api/src/testing/people.ts';
import { axeFindings } from './axe.ts';
import { PHONE, startBrowser, WIDE } from './browser.ts';
import { fill, isShown, LIVE_MS, painted, sitDown, startTeamOfYesterday, topOf } from './hub-seats.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** Somebody else has the window in front. */
const lookAway = (page: Page) =>
  page.evaluate(() => {
    document.hasFocus = () => false;
    dispatchEvent(new Event('blur'));
  });
const lookBack = (page: Page) =>
  page.evaluate(() => {
    document.hasFocus = () => true;
    dispatchEvent(new Event('focus'));
  });
/** The messages whose beginning is in view, the uppermost first. */
const idsInView = (page: Page) =>
  page
    .locator('.feed .msg')
    .evaluateAll((rows) =>
      rows.filter((row) => row.getBoundingClientRect().top >= 60).map((row) => (row as HTMLElement).dataset.row ?? ''),
    );
const newest = (page: Page) => page.locator('.feed .msg').last();

describe('two people and a key side by side', () => {
  test('see each other post, edit, delete, convert and check off within a second', async () => {
    await using team = await startTeamOfYesterday();
    const ada = await sitDown(browser, team, { caller: team.ada });
    const bob = await sitDown(browser, team, { caller: team.bob });
    const both = [ada, bob];

    const posted = await team.post('messages', { text: 'Deployed 4.18.0' });
    for (const seat of both) await seat.row(posted).getByText('Deployed 4.18.0').waitFor({ timeout: LIVE_MS });
    expect(await bob.row(posted).locator('.msg-head').textContent()).toStartWith('Bot via ci ');

    const field = ada.page.getByRole('textbox', { name: /^Message to/ });
    await field.fill('All is calm');
    await field.press('Enter');
    await bob.page.locator('.feed').getByText('All is calm').waitFor({ timeout: LIVE_MS });
    const written = (await team.messages()).items[0] as Message;

    await ada.row(written).hover();
    await ada.row(written).getByRole('button', { name: 'More' }).click();
    await ada.page.getByRole('menuitem', { name: 'Edit' }).click();
    await ada.page.getByRole('textbox', { name: 'Text of the message' }).fill('All is well');
    await ada.page.keyboard.press('Enter');
    for (const seat of both) await seat.row(written).getByText('All is well').waitFor({ timeout: LIVE_MS });
    await bob.row(written).getByText('edited').waitFor({ timeout: LIVE_MS });

    await bob.row(posted).hover();
    await bob
      .row(posted)
      .getByRole('button', { name: /Make a to-do/ })
      .click();
    await bob.page.getByText('Made a to-do from the message.').waitFor();
    const became = ada.row(posted).locator('.became');
    await became.getByText('open').waitFor({ timeout: LIVE_MS });
    const { conversion } = await team.show<Message>(posted);
    await team.bob.json<Todo>('PATCH', `/todos/${conversion?.id}`, { status: 'done' });
    for (const seat of both) await seat.row(posted).getByText('done · Bob').waitFor({ timeout: LIVE_MS });

    await ada.row(written).hover();
    await ada.row(written).getByRole('button', { name: 'More' }).click();
    await ada.page.getByRole('menuitem', { name: 'Delete' }).click();
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    for (const seat of both) await seat.row(written).waitFor({ state: 'detached', timeout: LIVE_MS });
    expect(await ada.page.evaluate(() => document.activeElement?.getAttribute('data-row'))).toBe(posted.id);

    for (const seat of both) await seat.leave();
  });

  test('one finds what came while the connection was away, once', async () => {
    await using team = await startTeamOfYesterday();
    const ada = await sitDown(browser, team, { caller: team.ada });
    await ada.page.evaluate(() => document.querySelector('.live')?.textContent);
    await ada.context.setOffline(true);
    const missed = await team.message(team.bob, 'While you were away');
    await ada.context.setOffline(false);
    await ada.row(missed).waitFor();
    expect(await ada.row(missed).count()).toBe(1);
    await ada.context.close();
  });
});

describe('what is new', () => {
  test('stands under a line that stays while one reads, and is read once it is in view', async () => {
    await using team = await startTeamOfYesterday();
    await fill(team, 30);
    await team.ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: team.seq() });
    const [first] = [
      await team.message(team.bob, 'The first new one'),
      await team.post('messages', { text: 'A second' }),
    ];
    const ada = await sitDown(browser, team, { caller: team.ada });
    const line = ada.page.getByRole('separator', { name: '2 new messages below' });
    await line.waitFor();
    expect(await topOf(line)).toBeLessThan(await topOf(ada.row(first)));
    await expectRead(team, true);

    const third = await team.message(team.bob, 'A third, seen as it comes');
    await ada.row(third).waitFor({ timeout: LIVE_MS });
    await ada.page.getByRole('separator', { name: '3 new messages below' }).waitFor();
    await expectRead(team, true);
    await ada.leave();
  });

  test('moves the line to where one stopped when something came while one was away, and is not read before one is back', async () => {
    await using team = await startTeamOfYesterday();
    await fill(team, 5);
    const ada = await sitDown(browser, team, { caller: team.ada });
    await expectRead(team, true);
    await lookAway(ada.page);
    const missed = await team.message(team.bob, 'Where are you?');
    await ada.row(missed).waitFor({ timeout: LIVE_MS });
    const line = ada.page.getByRole('separator', { name: '1 new message below' });
    await line.waitFor();
    expect(await topOf(line)).toBeLessThan(await topOf(ada.row(missed)));
    await expectRead(team, false);
    await lookBack(ada.page);
    await expectRead(team, true);
    await line.waitFor();
    await ada.leave();
  });

  async function expectRead(team: Awaited<ReturnType<typeof startTeamOfYesterday>>, isRead: boolean): Promise<void> {
    const countOf = async () => (await team.ada.json<Hub>('GET', `/hubs/${team.hubId}`)).body.unreadCount ?? -1;
    if (!isRead) {
      expect(await countOf()).toBeGreaterThan(0);
      return;
    }
    for (let tries = 0; (await countOf()) > 0 && tries < 100; tries += 1) await Bun.sleep(20);
    expect(await countOf()).toBe(0);
  }
});

describe('a reader who has scrolled up', () => {
  test('is not moved by what comes; a button counts it and leads there', async () => {
    await using team = await startTeamOfYesterday();
    await fill(team, 80);
    const ada = await sitDown(browser, team, { caller: team.ada });
    await ada.page.locator('.feed').hover();
    await ada.page.mouse.wheel(0, -1_500);
    await ada.page.getByRole('button', { name: 'Newest' }).waitFor();
    await painted(ada.page);
    const seen = ada.row({ id: (await idsInView(ada.page))[2] ?? '' });
    const before = await topOf(seen);
    const posted = await team.post('messages', { text: 'One' });
    await team.message(team.bob, 'Two');
    await ada.page.getByRole('button', { name: '2 new' }).waitFor({ timeout: LIVE_MS });
    expect(Math.abs((await topOf(seen)) - before)).toBeLessThanOrEqual(1);
    await ada.page.getByRole('button', { name: '2 new' }).click();
    await ada.row(posted).waitFor();
    await ada.page.getByRole('button', { name: '2 new' }).waitFor({ state: 'detached' });
    const [box, feed] = [await newest(ada.page).boundingBox(), await ada.page.locator('.feed').boundingBox()];
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((feed?.y ?? 0) + (feed?.height ?? 0));
    await ada.leave();
  });

  test('stays where he is when rows above and below grow, shrink or go', async () => {
    await using team = await startTeamOfYesterday();
    const written = await fill(team, 60);
    const ada = await sitDown(browser, team, { caller: team.ada });
    await ada.page.locator('.feed').hover();
    await ada.page.mouse.wheel(0, -1_200);
    await ada.page.getByRole('button', { name: 'Newest' }).waitFor();
    await painted(ada.page);
    const ids = await idsInView(ada.page);
    const seen = ids[2] ?? '';
    const place = written.findIndex(({ id }) => id === seen);
    const before = await topOf(ada.row({ id: seen }));
    const [above, below] = [written[place - 5], written[place + 12]];
    if (!above || !below) throw new Error('There are too few rows');
    const by = (index: number) => (index % 2 === 0 ? team.ada : team.bob);
    await by(place - 5).json('PATCH', `/messages/${above.id}`, { text: 'Much longer\n\n'.repeat(12) });
    await by(place + 12).json('DELETE', `/messages/${below.id}`);
    await ada.row(below).waitFor({ state: 'detached', timeout: LIVE_MS });
    await ada.row(above).getByText('Much longer').first().waitFor({ timeout: LIVE_MS });
    await painted(ada.page);
    expect(Math.abs((await topOf(ada.row({ id: seen }))) - before)).toBeLessThanOrEqual(1);
    await ada.leave();
  });

  test('finds older messages as he scrolls, without a jump, and few rows in the document', async () => {
    await using team = await startTeamOfYesterday();
    const written = await fill(team, 320);
    const ada = await sitDown(browser, team, { caller: team.ada });
    const jumps = await ada.page.evaluate(async () => {
      const feed = document.querySelector('.feed') as HTMLElement;
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const tops = () =>
        new Map(
          [...feed.querySelectorAll<HTMLElement>('[data-row]')].map((row) => [
            row.dataset.row ?? '',
            row.getBoundingClientRect().top,
          ]),
        );
      const found: string[] = [];
      let most = 0;
      for (let step = 0; step < 400 && !feed.textContent?.includes('Message 0'); step += 1) {
        feed.scrollTop -= 120;
        await frame();
        const before = tops();
        const at = feed.scrollTop;
        // Whatever is loaded and drawn now must leave what is in view where it is.
        await frame();
        await frame();
        const after = tops();
        const inView = [...before].filter(([id, top]) => top > 60 && top < innerHeight - 100 && after.has(id));
        const moved = inView.filter(([id, top]) => Math.abs((after.get(id) ?? 0) - top) > 1.5);
        if (moved.length > 0)
          found.push(
            `step ${step} from ${at} to ${feed.scrollTop}: ${moved[0]?.[1]} → ${after.get(moved[0]?.[0] ?? '')}`,
          );
        if (inView.length === 0) found.push(`step ${step}: nothing in view`);
        most = Math.max(most, after.size);
      }
      return { found, most };
    });
    expect(jumps.found).toEqual([]);
    expect(jumps.most).toBeLessThan(200);
    await ada.row(written[0] ?? { id: '' }).waitFor();
    await ada.page.getByText('This is where').waitFor();
    expect(await ada.page.locator('.feed').getAttribute('role')).toBe('log');
    await ada.leave();
  });

  test('comes back to where he was', async () => {
    await using team = await startTeamOfYesterday();
    await fill(team, 120);
    const ada = await sitDown(browser, team, { caller: team.ada });
    await ada.page.locator('.feed').hover();
    for (let turn = 0; turn < 6; turn += 1) {
      await ada.page.mouse.wheel(0, -700);
      await painted(ada.page);
    }
    const seen = await ada.page.evaluate(() => {
      const rows = [...document.querySelectorAll<HTMLElement>('.feed .msg')];
      const row = rows.find((each) => each.getBoundingClientRect().top > 100);
      return { id: row?.dataset.row ?? '', top: row?.getBoundingClientRect().top ?? 0 };
    });
    await ada.page.getByRole('link', { name: 'Stream' }).first().click();
    await ada.page.getByRole('heading', { name: 'Stream' }).waitFor();
    await ada.page.goBack();
    await ada.row(seen).waitFor();
    await painted(ada.page);
    expect(Math.abs((await topOf(ada.row(seen))) - seen.top)).toBeLessThanOrEqual(1);
    await ada.leave();
  });
});

describe('the address of a message', () => {
  test('leads to it, wherever it is, and from there on to both sides', async () => {
    await using team = await startTeamOfYesterday();
    const written = await fill(team, 220);
    const wanted = written[60] ?? { id: '' };
    const ada = await sitDown(browser, team, { caller: team.ada, at: `?at=${wanted.id}` });
    await ada.row(wanted).and(ada.page.locator('.is-here')).waitFor();
    expect(await topOf(ada.row(wanted))).toBeLessThan(400);
    expect(await ada.row(wanted).evaluate((row) => row === document.activeElement)).toBe(true);
    // What comes now is beyond what is loaded.
    const late = await team.message(team.bob, 'Much later');
    expect(await ada.row(late).count()).toBe(0);
    await ada.page.locator('.feed').hover();
    for (let turn = 0; turn < 80 && (await ada.row(late).count()) === 0; turn += 1) {
      await ada.page.mouse.wheel(0, 900);
      await painted(ada.page);
    }
    await ada.row(late).waitFor();
    const numbers = await ada.page.locator('.feed .msg').allInnerTexts();
    const shown = numbers
      .map((text) => Number(/Message (\d+)/.exec(text)?.[1]))
      .filter((number) => !Number.isNaN(number));
    expect(shown).toEqual(Array.from({ length: shown.length }, (_, n) => (shown[0] ?? 0) + n));
    await ada.leave();
  });

  test('that leads to nothing says so', async () => {
    await using team = await startTeamOfYesterday();
    await team.message(team.bob, 'Still here');
    const gone = await team.message(team.bob, 'Gone soon');
    await team.bob.json('DELETE', `/messages/${gone.id}`);
    const ada = await sitDown(browser, team, { caller: team.ada, at: `?at=${gone.id}` });
    await ada.page.getByText('That message is not there any more.').waitFor();
    await ada.page.locator('.feed').getByText('Still here').waitFor();
    await ada.context.close();
  });
});

describe('by keyboard', () => {
  test('one goes among the messages, into one of them, and past all of them', async () => {
    await using team = await startTeamOfYesterday();
    const written = await fill(team, 6);
    const ada = await sitDown(browser, team, { caller: team.ada });
    const { page } = ada;
    const here = () =>
      page.evaluate(
        () => (document.activeElement as HTMLElement | null)?.dataset.row ?? document.activeElement?.className,
      );
    await page.locator('.tab').last().focus();
    await page.keyboard.press('k');
    expect(await here()).toBe(written[5]?.id ?? '');
    await page.keyboard.press('k');
    expect(await here()).toBe(written[4]?.id ?? '');
    await page.keyboard.press('j');
    expect(await here()).toBe(written[5]?.id ?? '');
    expect(await page.locator('.msg.is-here').count()).toBe(1);

    // Into the message, through what can be pressed there, and out behind it.
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[data-row]') !== null)).toBe(true);
    for (let presses = 0; presses < 12; presses += 1) {
      if ((await page.evaluate(() => document.activeElement?.tagName)) === 'TEXTAREA') break;
      await page.keyboard.press('Tab');
    }
    expect(await page.evaluate(() => document.activeElement?.closest('.composer') !== null)).toBe(true);
    await page.keyboard.press('Shift+Tab');
    expect(await here()).toBe(written[5]?.id ?? '');
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('.bar') !== null)).toBe(true);

    await page.keyboard.press('c');
    expect(await page.evaluate(() => document.activeElement?.closest('.composer') !== null)).toBe(true);
    await ada.leave();
  });

  test('one replies, makes to-dos and notes, and copies the link', async () => {
    await using team = await startTeamOfYesterday();
    const [first, second] = await fill(team, 2);
    const ada = await sitDown(browser, team, { caller: team.ada });
    const { page, context } = ada;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.keyboard.press('k');
    await page.keyboard.press('t');
    await page.getByText('Made a to-do from the message.').waitFor();
    await page.keyboard.press('k');
    await page.keyboard.press('n');
    await page.getByText('Made a note from the message.').waitFor();
    expect((await team.show<Message>(second ?? { id: '' })).conversion?.kind).toBe('todo');
    expect((await team.show<Message>(first ?? { id: '' })).conversion?.kind).toBe('note');
    await page.keyboard.press('y');
    await page.getByText('Link copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${team.hub.url}/p/${first?.id}`);
    await page.keyboard.press('r');
    await ada.panel.getByRole('textbox').waitFor();
    await page.keyboard.type('By keys alone');
    await page.keyboard.press('Enter');
    await ada.panel.locator('.msg').getByText('By keys alone').waitFor();
    await ada.leave();
  });
});

describe('editing', () => {
  test('what was changed meanwhile is said, and nothing that one has written is lost', async () => {
    await using team = await startTeamOfYesterday();
    const written = await team.message(team.ada, 'First words');
    const admin = await signIn(team.hub, await createPerson(team.hub, { role: 'admin', name: 'Root' }));
    await team.hub.admin.raw('POST', `/hubs/${team.hubId}/members`, { personId: admin.person.id });
    const ada = await sitDown(browser, team, { caller: team.ada });
    await ada.row(written).hover();
    await ada.row(written).getByRole('button', { name: 'More' }).click();
    await ada.page.getByRole('menuitem', { name: 'Edit' }).click();
    const field = ada.page.getByRole('textbox', { name: 'Text of the message' });
    await field.fill('My own words');
    await admin.json('PATCH', `/messages/${written.id}`, { text: 'The words of another' });
    await ada.page.getByText('It was changed meanwhile.').waitFor({ timeout: LIVE_MS });
    expect(await field.inputValue()).toBe('My own words');
    await ada.page.getByText('The words of another').waitFor();

    // Left and come back to, it is still there.
    await field.press('Escape');
    await ada.row(written).getByText('The words of another').waitFor();
    await ada.row(written).hover();
    await ada.row(written).getByRole('button', { name: 'More' }).click();
    await ada.page.getByRole('menuitem', { name: 'Edit' }).click();
    expect(await field.inputValue()).toBe('My own words');
    await ada.page.getByRole('button', { name: 'Edit over it' }).click();
    await ada.page.getByRole('button', { name: 'Save' }).click();
    await ada.row(written).getByText('My own words').waitFor();
    expect((await team.show<Message>(written)).text).toBe('My own words');
    await ada.leave();
  });

  test('is for the author and for admins', async () => {
    await using team = await startTeamOfYesterday();
    const written = await team.message(team.ada, 'Mine');
    const bob = await sitDown(browser, team, { caller: team.bob });
    await bob.row(written).hover();
    await bob.row(written).getByRole('button', { name: 'More' }).click();
    await bob.page.getByRole('menuitem', { name: 'Copy text' }).waitFor();
    expect(await bob.page.getByRole('menuitem', { name: 'Edit' }).count()).toBe(0);
    expect(await bob.page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0);
    await bob.leave();
  });
});

describe('an empty Hub', () => {
  test('says what to do, and shows the first message by itself', async () => {
    await using team = await startTeamOfYesterday();
    const ada = await sitDown(browser, team, { caller: team.ada });
    await ada.page.getByRole('heading', { name: 'Nothing has arrived yet' }).waitFor();
    await ada.page.getByRole('link', { name: 'Issue a key' }).waitFor();
    await ada.page.getByRole('button', { name: 'Write a message' }).click();
    expect(await ada.page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    const posted = await team.post('messages', { text: 'The first' });
    await ada.row(posted).waitFor({ timeout: LIVE_MS });
    await ada.page.getByRole('heading', { name: 'Nothing has arrived yet' }).waitFor({ state: 'detached' });
    await ada.leave();
  });
});

describe('on a phone', () => {
  test('a tap chooses a message, and its tools stand beneath it', async () => {
    await using team = await startTeamOfYesterday();
    const [first] = await fill(team, 3);
    const ada = await sitDown(browser, team, { caller: team.ada, look: PHONE });
    const row = ada.row(first ?? { id: '' });
    await row.locator('.prose').tap();
    await row.getByRole('button', { name: /Make a to-do/ }).tap();
    await ada.page.getByText('Made a to-do from the message.').waitFor();
    await ada.leave();
  });
});

describe('for everybody', () => {
  for (const scheme of ['light', 'dark'] as const) {
    test(`axe finds nothing, ${scheme}`, async () => {
      await using team = await startTeamOfYesterday();
      const posted = await team.post('messages', { text: 'Look' });
      await team.ada.json('PUT', `/messages/${posted.id}/reactions/${encodeURIComponent('🎉')}`);
      await team.reply(team.bob, posted, 'I do');
      await team.bob.json('POST', `/messages/${posted.id}/conversion`, { to: 'todo' });
      const blank = await team.message(team.bob, 'Soon blank');
      await team.reply(team.ada, blank, 'Stays');
      await team.bob.json('DELETE', `/messages/${blank.id}`);
      const ada = await sitDown(browser, team, { caller: team.ada, look: { ...WIDE, scheme } });
      await ada.row(posted).locator('.became').waitFor();
      await ada.page.keyboard.press('k');
      expect(await axeFindings(ada.page)).toEqual([]);
      await ada.page.goto(`/hubs/${team.hubId}?open=${posted.id}`);
      await ada.panel.getByText('I do').waitFor();
      expect(await axeFindings(ada.page)).toEqual([]);
      await ada.page.goto(`/hubs/${team.hubId}?open=${posted.id}&show=origin`);
      await ada.panel.getByText('Active').waitFor();
      expect(await axeFindings(ada.page)).toEqual([]);
      await ada.page.goto(`/hubs/${team.hubId}`);
      await isShown(ada.page);
      await ada.row(posted).hover();
      await ada
        .row(posted)
        .getByRole('button', { name: /^React/ })
        .click();
      await ada.page.getByRole('gridcell', { name: 'grinning face', exact: true }).waitFor();
      expect(await axeFindings(ada.page)).toEqual([]);
      expect(ada.faults).toEqual([]);
      await ada.context.close();
    });
  }
});
