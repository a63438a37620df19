import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { iconPlugin } from '../icon-plugin.ts';

const ENTRY = fileURLToPath(new URL('../src/drawn-apart.tsx', import.meta.url));

/** Draws into the page by itself, and judges every element and attribute of what came of it. */
const SOURCE = `
import { signal } from '@preact/signals';
import { h, render } from 'preact';
import { nameFinder } from './mentions/mentioned-names.ts';
import { draw } from './posts/draw.tsx';
import { loadReaders, readDraft } from './posts/read-post.ts';
import { readEditorBlocks } from './posts/read-blocks.ts';

const GLOBAL = ['class', 'dir'];
const MAY = {
  P: [], BR: [], HR: [], STRONG: [], EM: [], DEL: [], U: [], MARK: [], CODE: [], BLOCKQUOTE: [], H3: [], H4: [], H5: [], H6: [],
  UL: [], OL: ['start'], LI: [], TABLE: [], THEAD: [], TBODY: [], TR: [], TH: ['scope'], TD: [], BDI: [],
  A: ['href', 'rel', 'target'], DIV: ['role', 'aria-label', 'tabindex'], SPAN: ['aria-hidden', 'role'],
  KBD: [], SUB: [], SUP: [], INS: [], DETAILS: ['open'], SUMMARY: [],
  PRE: ['tabindex', 'role', 'aria-label'], BUTTON: ['type', 'title', 'aria-expanded', 'aria-label'], svg: ['viewBox', 'aria-hidden'],
};
const SHAPE = /^(?:path|circle|rect|line|polyline|polygon|ellipse)$/;
const names = nameFinder(['per_1'], [{ id: 'per_1', name: 'Ada Lovelace' }]);
const how = { upTo: signal(Infinity), findNames: names, myId: 'per_1' };

function faultsOf(tree) {
  const place = document.createElement('div');
  place.className = 'prose';
  document.body.append(place);
  render(h('div', null, draw(tree.nodes, how)), place);
  const faults = [];
  for (const element of place.firstChild.querySelectorAll('*')) {
    if (element.parentElement.closest('svg') && SHAPE.test(element.tagName)) continue;
    const may = MAY[element.tagName];
    if (!may) faults.push('<' + element.tagName + '>');
    for (const { name, value } of element.attributes) {
      if (![...GLOBAL, ...(may ?? [])].includes(name)) faults.push(element.tagName + ' ' + name + '=' + value);
    }
    if (element.tagName !== 'A') continue;
    if (!/^(?:https?|mailto):/.test(element.getAttribute('href'))) faults.push('href ' + element.href);
    if (element.rel !== 'noopener noreferrer nofollow') faults.push('rel ' + element.rel);
  }
  render(null, place);
  place.remove();
  return faults;
}

globalThis.drawApart = loadReaders().then(() => ({
  markdown: (texts) => texts.flatMap((text) => faultsOf(readDraft(text).value.tree).map((fault) => text + ' -> ' + fault)),
  blocks: (all) => all.flatMap((blocks) => faultsOf(readEditorBlocks(blocks)).map((fault) => JSON.stringify(blocks) + ' -> ' + fault)),
}));
`;

/** From now on, `drawApart` is there in the page. It runs under the page's own policy. */
export async function loadDrawing(page: Page): Promise<void> {
  await runInPage(page, SOURCE);
}

/** Runs a source that imports as if it stood in src/. */
export async function runInPage(page: Page, source: string): Promise<void> {
  const { outputs } = await Bun.build({
    entrypoints: [ENTRY],
    files: { [ENTRY]: source },
    target: 'browser',
    conditions: ['bun'],
    plugins: [iconPlugin],
    define: { 'process.env.NODE_ENV': '"production"' },
    format: 'iife',
  });
  await page.evaluate((await outputs[0]?.text()) ?? '');
}

/** What was drawn that must not be: none. */
export async function problemsOfMarkdown(page: Page, texts: readonly string[]): Promise<string[]> {
  return page.evaluate(`drawApart.then((apart) => apart.markdown(${JSON.stringify(texts)}))`);
}

export async function problemsOfBlocks(page: Page, all: readonly object[][]): Promise<string[]> {
  return page.evaluate(`drawApart.then((apart) => apart.blocks(${JSON.stringify(all)}))`);
}
