import { createLowlight } from 'lowlight';
import { type Language, languageOf, nameOf } from './languages.ts';
import type { HighlightedCode, Run } from './read-in-worker.ts';

/** Each grammar is a separate file, loaded when a post needs it. */
const GRAMMARS = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  go: () => import('highlight.js/lib/languages/go'),
  graphql: () => import('highlight.js/lib/languages/graphql'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  lua: () => import('highlight.js/lib/languages/lua'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  nginx: () => import('highlight.js/lib/languages/nginx'),
  perl: () => import('highlight.js/lib/languages/perl'),
  php: () => import('highlight.js/lib/languages/php'),
  powershell: () => import('highlight.js/lib/languages/powershell'),
  python: () => import('highlight.js/lib/languages/python'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scss: () => import('highlight.js/lib/languages/scss'),
  shell: () => import('highlight.js/lib/languages/shell'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
} satisfies Record<Language, unknown>;

/** Maps the token types of grammars to the few kinds that are colored. Other tokens keep the color of the text. */
const KIND_OF: Readonly<Record<string, Run[0]>> = {
  addition: 's',
  attr: 'k',
  attribute: 'k',
  built_in: 'k',
  bullet: 'k',
  char: 's',
  comment: 'c',
  deletion: 'n',
  doctag: 'c',
  formula: 's',
  keyword: 'k',
  link: 's',
  literal: 'n',
  meta: 'c',
  name: 'k',
  number: 'n',
  quote: 'c',
  regexp: 's',
  section: 'k',
  'selector-tag': 'k',
  string: 's',
  symbol: 'n',
  type: 'k',
  variable: 'n',
};

const lowlight = createLowlight();
type Tree = ReturnType<typeof lowlight.highlight>;

/** Returns a function that highlights code in the language that a fence names. */
export async function highlighter(name: string): Promise<(code: string) => HighlightedCode> {
  const language = languageOf(name);
  if (language === null) return (code) => ({ language, runs: [[null, code]] });
  if (!lowlight.registered(language)) lowlight.register(language, (await GRAMMARS[language]()).default);
  return (code) => ({ language: nameOf(language), runs: runsOf(lowlight.highlight(language, code).children, null) });
}

function runsOf(nodes: Tree['children'], kind: Run[0]): Run[] {
  const runs: [Run[0], string][] = [];
  const push = (of: Run[0], text: string) => {
    const last = runs.at(-1);
    if (last?.[0] === of) last[1] += text;
    else runs.push([of, text]);
  };
  for (const node of nodes) {
    if (node.type === 'text') push(kind, node.value);
    else if (node.type === 'element') {
      for (const [of, text] of runsOf(node.children as Tree['children'], kindOf(node.properties.className) ?? kind))
        push(of, text);
    }
  }
  return runs;
}

/** Reads the kind from class names such as `hljs-title` or `function_`. */
function kindOf(names: unknown): Run[0] {
  const first: unknown = Array.isArray(names) ? names[0] : undefined;
  if (typeof first !== 'string') return null;
  const name = first.replace(/^hljs-/, '');
  return Object.hasOwn(KIND_OF, name) ? (KIND_OF[name] ?? null) : null;
}
