import { afterAll, beforeAll, expect, test } from 'bun:test';
import { testBrowser } from '@hub/testkit/browser/browser';
import { openTestSession, startBackdatedTeam } from '@hub/testkit/browser/hub-test-sessions';
import type { Browser, Page } from 'playwright-core';

let browser: Browser;
beforeAll(async () => {
  browser = await testBrowser();
});
afterAll(() => browser.close());

type Way = 'replaces' | 'wraps';

/** Translates each text of the page to itself in «», as the translation of Chromium does: with two `font` elements. */
function translate(page: Page, way: Way): Promise<void> {
  return page.evaluate((how) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const untranslated: Text[] = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      if (text.nodeValue?.trim() && text.parentElement?.localName !== 'font') untranslated.push(text as Text);
    for (const text of untranslated) {
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      outer.append(inner);
      const translated = `«${text.data}»`;
      if (how === 'replaces') {
        inner.textContent = translated;
        text.replaceWith(outer);
      } else {
        text.before(outer);
        inner.append(text);
        text.data = translated;
      }
      Object.assign(outer, { original: text });
    }
    document.documentElement.classList.add('translated-ltr');
  }, way);
}

/** Shows the original text again, as users can choose. */
function revert(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const font of document.querySelectorAll('font > font'))
      if (font.parentElement && 'original' in font.parentElement)
        font.parentElement.replaceWith((font.parentElement as unknown as { original: Text }).original);
  });
}

/** The visible texts of the side bar and the rows, without the signs of the translation. */
async function shownText(page: Page): Promise<string[]> {
  const texts = await page.locator('.side, .main .feed [data-row]').allInnerTexts();
  return texts.map((text) => text.replaceAll(/[«»]/g, ''));
}

test.each(['replaces', 'wraps'] as const)(
  'a page of which a translation %s the texts shows edits, counts, new and deleted messages and other names',
  async (way) => {
    await using team = await startBackdatedTeam();
    const { ada, bob } = team;
    const other = await team.hub.admin.createHub('Second');
    for (const { user } of [ada, bob])
      await team.hub.admin.raw('POST', `/hubs/${other.id}/members`, { userId: user.id });
    const edited = await team.message(bob, 'The *first* version, https://ci.example.org/1 and `code`.');
    const deleted = await team.message(bob, 'To be deleted');
    await team.reply(bob, edited, 'One');
    await bob.json('PUT', `/messages/${edited.id}/reactions/%F0%9F%91%8D`);
    const session = await openTestSession(browser, team, { caller: ada });
    const { page } = session;
    const side = page.locator('.side');
    await side.getByRole('link', { name: 'Second' }).waitFor();
    await translate(page, way);
    await page.getByText('«1 reply»').waitFor();

    const change = async (round: number) => {
      const text = `Version ${round} with *more* words, https://ci.example.org/${round} and \`code\`.`;
      await bob.json('PATCH', `/messages/${edited.id}`, { text });
      await team.reply(bob, edited, 'Another');
      await bob.json('PUT', `/messages/${edited.id}/reactions/%F0%9F%8E%89`);
      await team.message(bob, `New ${round}`);
      await bob.json('POST', `/hubs/${other.id}/messages`, { text: `Elsewhere ${round}` });
      await team.hub.admin.raw('PATCH', `/hubs/${other.id}`, { name: `Second ${round}` });
      await session.row(edited).getByText(`Version ${round}`).waitFor();
      await session.row(edited).getByText(`${round} replies`).waitFor();
      await page.getByText(`New ${round}`).waitFor();
      await side.getByRole('link', { name: `Second ${round}` }).waitFor();
    };
    await change(2);
    await translate(page, way);
    await change(3);
    await bob.json('DELETE', `/messages/${deleted.id}`);
    await session.row(deleted).waitFor({ state: 'detached' });
    const translated = await shownText(page);
    expect(await page.locator('font').count()).toBeGreaterThan(10);
    await revert(page);
    const original = await shownText(page);
    await session.leave();

    await ada.json('PUT', `/hubs/${team.hubId}/read`, { seq: await team.seq() });
    const fresh = await openTestSession(browser, team, { caller: ada });
    await fresh.page.getByText('New 3').waitFor();
    await fresh.page.locator('.side').getByRole('link', { name: 'Second 3' }).waitFor();
    expect(translated).toEqual(await shownText(fresh.page));
    if (way === 'replaces') expect(original).toEqual(translated);
    await fresh.leave();
  },
);
