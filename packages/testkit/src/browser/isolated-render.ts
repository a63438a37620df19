import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { emojiPlugin } from '../../../../apps/web/emoji-plugin.ts';
import { iconPlugin } from '../../../../apps/web/icon-plugin.ts';

const ENTRY = fileURLToPath(new URL('../../../../apps/web/src/isolated-render.tsx', import.meta.url));

/** Renders posts in the page without the app, and checks every resulting element and attribute. */
const SOURCE = `
import { signal } from '@preact/signals';
import { h, render } from 'preact';
import { nameDivider } from './lib/posts/mentioned-names.ts';
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
export async function loadIsolatedRender(page: Page): Promise<void> {
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
export async function problemsOfMarkdown(page: Page, texts: readonly string[]): Promise<string[]> {
  return page.evaluate(`isolatedRender.markdown(${JSON.stringify(texts)})`);
}

export async function problemsOfBlocks(page: Page, all: readonly object[][]): Promise<string[]> {
  return page.evaluate(`isolatedRender.blocks(${JSON.stringify(all)})`);
}
