import type { BunPlugin } from 'bun';

const CHANGED = 'This version of marked is built differently; change or remove marked-plugin.ts';

/** A local name, which may contain `$`. */
const NAME = /[\w$]+/.source;

/**
 * Leaves out what turns Markdown into HTML, a fifth of the parser, since the app draws its tokens itself, and
 * other dialects. The bundler cannot do that alone, because the package creates an instance of everything
 * when it is loaded.
 */
export const markedPlugin: BunPlugin = {
  name: 'marked',
  setup(build) {
    build.onLoad({ filter: /\/marked\.esm\.js$/ }, async ({ path }) => ({
      contents: onlyLexer(await Bun.file(path).text()),
      loader: 'js',
    }));
  },
};

/** @throws if a new version of the package is built differently. */
function onlyLexer(source: string): string {
  const [, list = ''] = /export\{([^}]*)\}/.exec(source) ?? [];
  const locals = new Map(list.split(',').map((pair) => pair.split(' as ').toReversed() as [string, string]));
  const instance = [...source.matchAll(new RegExp(`var ${NAME}=new (${NAME});`, 'g'))].find(
    ([, name]) => name === locals.get('Marked'),
  );
  if (!instance || !locals.has('Lexer') || !locals.has('Tokenizer')) throw new Error(CHANGED);
  const kept = ['Lexer', 'Tokenizer'].map((name) => `${locals.get(name)} as ${name}`);
  return `${withFixedOptions(withoutPedantic(source.slice(0, instance.index)))}export{${kept}};`;
}

/** Replaces the options that never change, so that the minifier leaves out the code for other values. */
function withFixedOptions(source: string): string {
  const values: [option: RegExp, value: string][] = [
    [/\bthis\.options\.(?:pedantic|breaks)\b/g, '!1'],
    [/\bthis\.options\.silent\b/g, '!1'],
    [/\bthis\.options\.extensions\b/g, '(void 0)'],
    [/\bthis\.options\.hooks\?\.\w+(?:\?\.call\(\{lexer:this\},\w+\))?/g, '(void 0)'],
    [/\bthis\.options\.gfm\b/g, '!0'],
    // The defaults. The lexer passes its own options to the tokenizer.
    [/\{async:!1,[^}]*\}/g, '{}'],
  ];
  return values.reduce((text, [option, value]) => {
    const next = text.replaceAll(option, value);
    if (next === text) throw new Error(CHANGED);
    return next;
  }, source);
}

function withoutPedantic(source: string): string {
  const names = [...source.matchAll(new RegExp(`pedantic:(${NAME})\\}`, 'g'))].map(([, name = '']) => name);
  if (names.length !== 2) throw new Error(CHANGED);
  return names.reduce((text, name) => {
    const [before, rules] = text.split(`,${name}={...`);
    // The next declaration follows.
    const end = rules?.search(new RegExp(`\\},${NAME}=`)) ?? -1;
    if (rules === undefined || end === -1) throw new Error(CHANGED);
    return `${before},${name}={${rules.slice(end)}`;
  }, source);
}
