import { expect, test } from 'bun:test';
import { testBrowser, testSession } from '@hub/testkit/browser/browser';
import { HOSTILE_BLOCKS, HOSTILE_MARKDOWN } from '@hub/testkit/browser/hostile-texts';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { loadIsolatedRender, problemsOfBlocks, problemsOfMarkdown } from '@hub/testkit/browser/isolated-render';
import { watchHostileTexts } from '@hub/testkit/browser/problems';
import { startTeam } from '@hub/testkit/in-process/team';
import fc from 'fast-check';

const { team } = await teamSessions(startTeam());

const ada = await testSession(await testBrowser(), team.hub, { caller: team.ada });
/** Requests to any other server. */
const elsewhere = await watchHostileTexts(ada.context, team.hub.url);
await ada.page.goto(`/hubs/${team.hubId}`);
await ada.page.getByRole('log').waitFor();
await loadIsolatedRender(ada.page);

/** Checks that no script ran, no request went to another server and the policy blocked nothing. */
async function expectNoIncidents(): Promise<void> {
  expect(await ada.page.evaluate('[ran, reports, location.origin]')).toEqual([0, [], team.hub.url]);
  expect([elsewhere, ada.problems]).toEqual([[], []]);
}

test('hostile Markdown renders only the elements that posts may use', async () => {
  expect(await problemsOfMarkdown(ada.page, HOSTILE_MARKDOWN)).toEqual([]);
  await expectNoIncidents();
});

test('hostile blocks render only the elements that posts may use, in every field', async () => {
  expect(await problemsOfBlocks(ada.page, HOSTILE_BLOCKS)).toEqual([]);
  await expectNoIncidents();
});

test('random text renders only the elements that posts may use', async () => {
  const piece = fc.oneof(
    fc.constantFrom(...'*_~`[]()<>!#|-+>\\"\'&;:@=\n\t '),
    fc.constantFrom(
      '\n\n',
      '```',
      '| a |\n|---|\n',
      '- [x] ',
      '1. ',
      '](',
      '![',
      '<a href="',
      'javascript:',
      'https://x.y',
      'www.',
    ),
    fc.constantFrom(
      ...'details summary p div blockquote ul li table tr td h2 pre code a b i sub'
        .split(' ')
        .flatMap((tag) => [`<${tag}>`, `</${tag}>`]),
      '<br>',
      '<!--',
      '-->',
      '<a href="https://x.y" onclick=__ran()>',
      '> [!NOTE]\n',
      ':tada:',
    ),
    fc.constantFrom('@Ada Lovelace', '&#x6a;', '&lt;', '\u202e', '\u2067', '<img src=x onerror=__ran()>', '    '),
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom(...HOSTILE_MARKDOWN),
  );
  const text = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join('').toWellFormed());
  for (const texts of fc.sample(fc.array(text, { minLength: 40, maxLength: 40 }), 25)) {
    expect(await problemsOfMarkdown(ada.page, texts)).toEqual([]);
  }
  await expectNoIncidents();
});

test('hostile posts arrive live as text in messages, replies, notes and to-dos', async () => {
  const { page } = ada;
  const groups = Array.from({ length: Math.ceil(HOSTILE_MARKDOWN.length / 24) }, (_, n) =>
    HOSTILE_MARKDOWN.slice(n * 24, n * 24 + 24).join('\n\n'),
  );
  for (const text of groups) await team.message(team.bob, text);
  for (const blocks of HOSTILE_BLOCKS.slice(0, 20)) await team.post('messages', { blocks });
  const last = await team.message(team.bob, 'That was all');
  const note = await team.note(team.bob, { title: HOSTILE_MARKDOWN[0], content: groups.join('\n\n') });
  await page.locator(`#${last.id}`).waitFor();
  await page.locator('.prose[aria-busy="true"]').first().waitFor({ state: 'detached' });
  for (const address of [`/hubs/${team.hubId}/notes?open=${note.id}`, `/hubs/${team.hubId}`]) {
    await page.goto(address);
    await page.locator('.prose').first().waitFor();
    await page.locator('.prose[aria-busy="true"]').first().waitFor({ state: 'detached' });
    const bad =
      '.prose a:not([href^="http:"], [href^="https:"], [href^="mailto:"]), .prose :is(script, iframe, img, style, form, input:not(.check[type=checkbox]))';
    expect(await page.locator(bad).count()).toBe(0);
  }
  await expectNoIncidents();
});

test('the worker that parses posts can load its own modules but cannot reach any other server', async () => {
  const address = await ada.page.locator('meta[name="hub-post-worker"]').getAttribute('content');
  const response = await team.hub.fetch(address ?? '');
  expect([response.status, response.headers.get('content-security-policy')]).toEqual([
    200,
    "default-src 'none'; script-src 'self'",
  ]);
});
