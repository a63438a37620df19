import { expect, test } from 'bun:test';
import { fileURLToPath } from 'node:url';
import { testBrowser, testSession } from '@hub/testkit/browser/browser';
import { teamSessions } from '@hub/testkit/browser/hub-test-sessions';
import { startTeam } from '@hub/testkit/in-process/team';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { emojiPlugin } from '../emoji-plugin.ts';
import { iconPlugin } from '../icon-plugin.ts';
import { HOSTILE_BLOCKS, HOSTILE_MARKDOWN, watchHostileTexts } from './hostile-texts.ts';

const ENTRY = fileURLToPath(new URL('../src/isolated-render.tsx', import.meta.url));

/** Renders posts in the page without the app, and checks every resulting element and attribute. */
const SOURCE = `
import { signal } from '@preact/signals';
import { h, render } from 'preact';
import { nameDivider } from './lib/posts/shown-text.ts';
import { draw } from './ui/posts/draw.tsx';
import { readDraft } from './lib/posts/read-post.ts';
import { readEditorBlocks } from './lib/posts/read-blocks.ts';

const GLOBAL = ['class', 'dir'];
const ALLOWED = {
  P: [], BR: [], HR: [], STRONG: [], EM: [], DEL: [], U: [], MARK: [], CODE: [], BLOCKQUOTE: [], H3: [], H4: [], H5: [], H6: [],
  UL: [], OL: ['start'], LI: [], TABLE: [], THEAD: [], TBODY: [], TR: [], TH: ['scope'], TD: [], BDI: [],
  A: ['href', 'rel', 'target'], DIV: ['role', 'aria-label', 'tabindex'], SPAN: ['aria-hidden', 'role'],
  KBD: [], SUB: [], SUP: [], INS: [], DETAILS: ['open'], SUMMARY: [],
  PRE: ['tabindex', 'role', 'aria-label'], BUTTON: ['type', 'title', 'aria-expanded', 'aria-label'], svg: ['viewBox', 'aria-hidden'],
};
const SHAPE = /^(?:path|circle|rect|line|polyline|polygon|ellipse)$/;
const names = nameDivider(['per_1'], [{ id: 'per_1', name: 'Ada Lovelace' }]);
const how = { upTo: signal(Infinity), findNames: names, myId: 'per_1' };

function problemsOf(tree) {
  const container = document.createElement('div');
  container.className = 'prose';
  document.body.append(container);
  render(h('div', null, draw(tree.nodes, how)), container);
  const problems = [];
  for (const element of container.firstChild.querySelectorAll('*')) {
    if (element.parentElement.closest('svg') && SHAPE.test(element.tagName)) continue;
    const allowed = ALLOWED[element.tagName];
    if (!allowed) problems.push('<' + element.tagName + '>');
    for (const { name, value } of element.attributes) {
      if (![...GLOBAL, ...(allowed ?? [])].includes(name)) problems.push(element.tagName + ' ' + name + '=' + value);
    }
    if (element.tagName !== 'A') continue;
    if (!/^(?:https?|mailto):/.test(element.getAttribute('href'))) problems.push('href ' + element.href);
    if (element.rel !== 'noopener noreferrer nofollow') problems.push('rel ' + element.rel);
  }
  render(null, container);
  container.remove();
  return problems;
}

globalThis.isolatedRender = {
  markdown: (texts) => texts.flatMap((text) => problemsOf(readDraft(text).value.tree).map((problem) => text + ' -> ' + problem)),
  blocks: (all) => all.flatMap((blocks) => problemsOf(readEditorBlocks(blocks)).map((problem) => JSON.stringify(blocks) + ' -> ' + problem)),
};
`;

/** Adds `isolatedRender` to the page. It runs under the page's own content security policy. */
async function loadIsolatedRender(page: Page): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: [ENTRY],
    files: { [ENTRY]: SOURCE },
    target: 'browser',
    conditions: ['bun'],
    plugins: [iconPlugin, emojiPlugin],
    define: { 'process.env.NODE_ENV': '"production"' },
    format: 'iife',
  });
  await page.evaluate((await outputs[0]?.text()) ?? '');
}

/** Returns the elements and attributes that posts must not contain. */
async function problemsOfMarkdown(page: Page, texts: readonly string[]): Promise<string[]> {
  return page.evaluate(`isolatedRender.markdown(${JSON.stringify(texts)})`);
}

async function problemsOfBlocks(page: Page, all: readonly object[][]): Promise<string[]> {
  return page.evaluate(`isolatedRender.blocks(${JSON.stringify(all)})`);
}

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

test('hostile Markdown, hostile blocks in every field and random text render only the elements that posts may use', async () => {
  expect(await problemsOfMarkdown(ada.page, HOSTILE_MARKDOWN)).toEqual([]);
  await expectNoIncidents();

  expect(await problemsOfBlocks(ada.page, HOSTILE_BLOCKS)).toEqual([]);
  await expectNoIncidents();

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
