import type { BunPlugin } from 'bun';

/** The style sheets of the layer `shared`, in which a later rule wins whatever its selector. */
const SHARED = /\/src\/styles\/(layout|text|surfaces|states|space)\.css$/;

/**
 * Turns the rules `:where(.a, .b) {` of the shared style sheets into `@layer { .a, .b {`. Both let the order alone decide.
 * But Chromium finds rules by the class, id or tag that a selector ends with, which a list in `:where()` hides: each such
 * rule is compared with every element, and painting a new message took four times as long.
 */
export const selectorPlugin: BunPlugin = {
  name: 'selectors',
  setup(build) {
    build.onLoad({ filter: SHARED }, async ({ path }) => ({
      loader: 'css',
      contents: inLayers(await Bun.file(path).text()),
    }));
  },
};

function inLayers(css: string): string {
  return blocksOf(css.replaceAll(/\/\*[\s\S]*?\*\//g, ''))
    .map(({ prelude, body }) => `@layer {${listOf(prelude).flatMap(unwrapped).join(',')}{${body}}}`)
    .join('\n');
}

/** Returns the rules of a style sheet with their nested ones. */
function blocksOf(css: string): { prelude: string; body: string }[] {
  const blocks: { prelude: string; body: string }[] = [];
  let [start, open, depth] = [0, 0, 0];
  for (let at = 0; at < css.length; at += 1) {
    if (css[at] === '{') {
      if (depth === 0) open = at;
      depth += 1;
    } else if (css[at] === '}') {
      depth -= 1;
      if (depth > 0) continue;
      blocks.push({ prelude: css.slice(start, open), body: css.slice(open + 1, at) });
      start = at + 1;
    }
  }
  return blocks;
}

/** Returns the selectors in `:where()`, each with what follows it. */
function unwrapped(selector: string): string[] {
  const match = /^:where\(([\s\S]*)\)([^)]*)$/.exec(selector);
  if (!match) throw new Error(`${selector}: a rule of the shared styles must begin with :where(`);
  const [, list = '', after = ''] = match;
  return listOf(list).map((entry) => `${entry}${after}`);
}

/** Splits at the commas that are in no parentheses and in no brackets. */
function listOf(text: string): string[] {
  const entries = [''];
  let depth = 0;
  for (const character of text) {
    if ('(['.includes(character)) depth += 1;
    if (')]'.includes(character)) depth -= 1;
    if (character === ',' && depth === 0) entries.push('');
    else entries[entries.length - 1] += character;
  }
  return entries.map((entry) => entry.trim());
}
