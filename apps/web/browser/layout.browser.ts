import { expect, test } from 'bun:test';
import { expectAccessible } from '@hub/testkit/browser/axe';
import { PHONE, TABLET, WIDE } from '@hub/testkit/browser/browser';
import { readAll, startBackdatedTeam, teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { painted, seen, show } from '@hub/testkit/browser/steps';
import { smallTouchTargets } from '@hub/testkit/browser/touch-targets';
import { addMember, memberOf } from '@hub/testkit/in-process/users';
import type { Page } from 'playwright-core';

const UNBROKEN = 'release_engineering_and_deployment_coordination';
const TEXT = 'The deploy finished and every check passed, so the old machines can be switched off tomorrow morning. ';

const { team, session, open } = await teamSessions(startBackdatedTeam());
const { hub } = team;
const { id: hubId } = await hub.admin.createHub(UNBROKEN);
const olga = await memberOf(hub, hubId, { role: 'owner', name: 'Olga Owner' });
await addMember(hub, team.hubId, olga.user);
await addMember(hub, hubId, team.bob.user);
await hub.admin.issueKey({ hubId, name: `${UNBROKEN}-key` });
const made = async (path: string, body: object) => (await olga.json<{ id: string }>('POST', path, body)).body.id;
const code = `\`\`\`\n${'column '.repeat(60)}\n\`\`\``;
const messageId = await made(`/hubs/${hubId}/messages`, {
  text: `Shall **we**, @Olga Owner? ${TEXT.repeat(3)}${'unbroken'.repeat(40)}\n\n${code}`,
});
await made(`/items/${messageId}/replies`, { text: 'Yes' });
await olga.json('PUT', `/messages/${messageId}/reactions/${encodeURIComponent('👍')}`);
await team.bob.json('PUT', `/messages/${messageId}/reactions/${encodeURIComponent('🎉')}`);
const noteId = await made(`/hubs/${hubId}/notes`, { title: UNBROKEN.repeat(3), content: TEXT });
const dueDate = new Date(Date.now() + 3_600_000).toISOString();
const todoId = await made(`/hubs/${hubId}/todos`, { title: UNBROKEN.repeat(3), dueDate, priority: 'HIGH' });
await team.bob.json('POST', `/hubs/${hubId}/messages`, { text: '@Olga Owner, shall we?' });
for (let n = 0; n < 30; n += 1) {
  const { id } = await hub.admin.createHub(`Hub ${n}`);
  for (const { user } of [olga, team.bob]) await addMember(hub, id, user);
  await team.bob.json('POST', `/hubs/${id}/messages`, { text: 'Unread' });
}

/** The views, and what to wait for in each. In the journeys, axe checks all but the first six. */
const AXE_VIEWS = 6;
/** The others have controls that are too small for a finger. */
const FINGER_VIEWS = 16;
const VIEWS: readonly (readonly [path: string, ready: string])[] = [
  ['/stream?kind=note&unread=true&key=key_x', '.empty'],
  ['/mentions', '.entry'],
  ['/todos', '.main'],
  ['/search', '.empty'],
  ['/settings', '#own-name, #main .nav-row'],
  ['/settings/profile', '#own-name'],
  ['/stream', '.entry'],
  ['/search?q=shall', '.hit'],
  [`/hubs/${hubId}`, '.msg'],
  [`/hubs/${hubId}/todos?status=all`, '.todo'],
  [`/hubs/${hubId}/notes`, '.note'],
  [`/hubs/${hubId}?open=${messageId}`, '#panel .msg'],
  [`/hubs/${hubId}/notes?open=${noteId}`, '#panel h2'],
  [`/hubs/${hubId}/todos?open=${todoId}`, '#panel .history li'],
  ['/settings/notifications', '.mode-list li'],
  [`/settings/hubs?hub=${hubId}`, '#hub-delete'],
  ['/settings/keys', '.hub-head'],
  ['/settings/members', '.users tbody tr'],
];

/** Returns the elements that can be scrolled sideways, except for rows of filters, tabs and code. */
const wideBoxes = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('*')]
      .filter((box) => box.scrollWidth > box.clientWidth && /auto|scroll/.test(getComputedStyle(box).overflowX))
      .filter((box) => !box.matches('.filters, .tabs, .toolbar, pre'))
      .map((box) => `${box.tagName}.${box.className}: ${box.scrollWidth} in ${box.clientWidth}`),
  );

/** Returns the times that wrap onto a second line. */
const wrappedTimes = (page: Page): Promise<string[]> =>
  page.locator('time').evaluateAll((times) =>
    times.flatMap((time) => {
      const range = document.createRange();
      range.selectNodeContents(time);
      const lines = new Set([...range.getClientRects()].map(({ top, height }) => Math.round((top + height / 2) / 6)));
      return lines.size > 1 ? [`${time.className} ${time.textContent}`] : [];
    }),
  );

/** Returns what cannot be reached with text at twice the size. */
const problemsWithLargeText = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    document.documentElement.style.fontSize = '200%';
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    // Wait for a panel that is still sliding in, since it has not reached its final position.
    const sliding = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations === 1);
    await Promise.allSettled(sliding.map(({ finished }) => finished));
    const found = document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : [];
    for (const element of document.querySelectorAll('button, a[href], input, textarea')) {
      if (element.closest('[inert], .sr, .skip') || !element.checkVisibility({ visibilityProperty: true })) continue;
      const { left, right, width } = element.getBoundingClientRect();
      if (width <= 1 || (left >= -1 && right <= innerWidth + 1)) continue;
      let around = element.parentElement;
      while (around && !/auto|scroll/.test(getComputedStyle(around).overflowX)) around = around.parentElement;
      if (!around || around.scrollWidth <= around.clientWidth) found.push(element.outerHTML.slice(0, 120));
    }
    document.documentElement.style.fontSize = '';
    return found;
  });

/** Returns the elements that are animated, change gradually or scroll smoothly. */
const movingElements = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
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

async function expectFits(page: Page, path: string): Promise<void> {
  expect([path, await wideBoxes(page), await wrappedTimes(page)]).toEqual([path, [], []]);
}

test('with long names and many Hubs, every view fits at every width, on a phone also with text at twice the size; axe finds no problems in either theme, every control is large enough for a finger, and with reduced motion, nothing moves', async () => {
  // Touch targets are larger, so less fits.
  const page = await open(olga, '/stream', { look: TABLET });
  for (const [index, view] of VIEWS.entries()) {
    await show(page, ...view);
    for (const { width, height } of [WIDE, TABLET, PHONE]) {
      await page.setViewportSize({ width, height });
      await painted(page);
      await expectFits(page, view[0]);
    }
    expect([view[0], await problemsWithLargeText(page)]).toEqual([view[0], []]);
    if (index < AXE_VIEWS) await expectAccessible(page);
    else if (index < FINGER_VIEWS) expect([view[0], await smallTouchTargets(page)]).toEqual([view[0], []]);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect([view[0], await movingElements(page)]).toEqual([view[0], []]);
    await page.emulateMedia({ reducedMotion: null });
  }
  await page.getByRole('button', { name: 'Invite' }).first().click();
  await page.locator('dialog .choices-list').waitFor();
  for (const { width, height } of [PHONE, TABLET]) {
    await page.setViewportSize({ width, height });
    expect(await wideBoxes(page)).toEqual([]);
  }
}, 240_000);

test('in forced colors, selected, pressed and focused elements remain distinguishable; on a large screen, opening a thread moves no text and leaves the thread room', async () => {
  const { page } = await session(olga);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(`/hubs/${hubId}?open=${messageId}`);
  await page.locator('#panel .msg').first().waitFor();
  const look = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const { borderStyle, borderWidth, outlineStyle, backgroundColor, color, fontWeight } =
          getComputedStyle(element);
        return [borderStyle === 'none' ? '' : borderWidth, outlineStyle, backgroundColor, color, fontWeight].join(' ');
      });
  for (const [one, other] of [
    ['.side .nav-row[aria-current="page"]', '.side .nav-row:not([aria-current])'],
    ['.tab[aria-current="page"]', '.tab:not([aria-current])'],
    ['.chip[aria-pressed="true"]', '.chip:not([aria-pressed="true"])'],
    ['.mention.is-me', '.prose strong'],
  ] as const)
    expect([one, await look(one)]).not.toEqual([one, await look(other)]);
  await page.keyboard.press('k');
  expect(await look(':focus')).toMatch(/ (?:solid|auto|dashed) /);

  // On a large screen, opening a thread moves no text.
  await page.emulateMedia({ forcedColors: 'none' });
  await page.setViewportSize({ width: 1920, height: 1080 });
  for (const [path, part] of [
    [`/hubs/${hubId}`, '.main .msg'],
    ['/stream', '.entry'],
  ] as const) {
    await page.goto(path);
    const text = page.locator(`${part} .prose p`).first();
    await text.waitFor();
    const before = await text.boundingBox();
    await show(page, `${path}?open=${messageId}`, '#panel .prose');
    expect(await text.boundingBox()).toEqual(before);
    expect((await page.locator('#panel').boundingBox())?.width).toBeGreaterThanOrEqual(640);
  }
});

/** Translates each text of the page to itself in «», as the translation of Chromium does: with two `font` elements. */
const translate = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const untranslated: Text[] = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      if (text.nodeValue?.trim() && text.parentElement?.localName !== 'font') untranslated.push(text as Text);
    for (const text of untranslated) {
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      outer.append(inner);
      inner.textContent = `«${text.data}»`;
      text.replaceWith(outer);
    }
    document.documentElement.classList.add('translated-ltr');
  });

test('a page whose texts a translation replaces shows edits, counts, new and deleted messages', async () => {
  const { ada, bob } = team;
  const edited = await team.message(bob, 'The *first* version, https://ci.example.org/1 and `code`.');
  const deleted = await team.message(bob, 'To be deleted');
  await team.reply(bob, edited, 'One');
  const page = await open(ada, `/hubs/${team.hubId}`);
  const row = page.locator(`.main .feed [data-row="${edited.id}"]`);
  await row.getByText('1 reply').waitFor();
  for (const round of [2, 3]) {
    await translate(page);
    const text = `Version ${round} with *more* words, https://ci.example.org/${round} and \`code\`.`;
    await bob.json('PATCH', `/messages/${edited.id}`, { text });
    await team.reply(bob, edited, 'Another');
    await team.message(bob, `New ${round}`);
    await seen(row.getByText(`Version ${round}`), row.getByText(`${round} replies`), page.getByText(`New ${round}`));
  }
  await bob.json('DELETE', `/messages/${deleted.id}`);
  await page.locator(`.feed [data-row="${deleted.id}"]`).waitFor({ state: 'detached' });
  const shown = async (of: Page) =>
    (await of.locator('.main .feed [data-row]').allInnerTexts()).map((text) => text.replaceAll(/[«»]/g, ''));
  expect(await page.locator('font').count()).toBeGreaterThan(10);
  const translated = await shown(page);
  await readAll(team);
  const fresh = await open(ada, `/hubs/${team.hubId}`);
  await fresh.getByText('New 3').waitFor();
  expect(translated).toEqual(await shown(fresh));
});
