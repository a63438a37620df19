import type { LanguageFn } from 'highlight.js';
import { createLowlight } from 'lowlight';
import type { HighlightedCode, Run } from './read-in-worker.ts';

/**
 * Languages by their name after a code fence: the grammar, which loads when a post needs it, the display name, and other
 * names.
 */
const LANGUAGES = {
  bash: [() => import('highlight.js/lib/languages/bash'), 'Shell', 'sh', 'zsh'],
  c: [() => import('highlight.js/lib/languages/c'), 'C', 'h'],
  cpp: [() => import('highlight.js/lib/languages/cpp'), 'C++', 'c++', 'cc', 'cxx', 'hpp'],
  csharp: [() => import('highlight.js/lib/languages/csharp'), 'C#', 'c#', 'cs'],
  css: [() => import('highlight.js/lib/languages/css'), 'CSS'],
  diff: [() => import('highlight.js/lib/languages/diff'), 'Diff', 'patch'],
  dockerfile: [() => import('highlight.js/lib/languages/dockerfile'), 'Dockerfile', 'docker'],
  go: [() => import('highlight.js/lib/languages/go'), 'Go', 'golang'],
  graphql: [() => import('highlight.js/lib/languages/graphql'), 'GraphQL'],
  ini: [() => import('highlight.js/lib/languages/ini'), 'INI', 'toml'],
  java: [() => import('highlight.js/lib/languages/java'), 'Java'],
  javascript: [() => import('highlight.js/lib/languages/javascript'), 'JavaScript', 'cjs', 'js', 'jsx', 'mjs'],
  json: [() => import('highlight.js/lib/languages/json'), 'JSON', 'json5', 'jsonc', 'jsonl'],
  kotlin: [() => import('highlight.js/lib/languages/kotlin'), 'Kotlin', 'kt'],
  lua: [() => import('highlight.js/lib/languages/lua'), 'Lua'],
  makefile: [() => import('highlight.js/lib/languages/makefile'), 'Makefile', 'make'],
  markdown: [() => import('highlight.js/lib/languages/markdown'), 'Markdown', 'md'],
  nginx: [() => import('highlight.js/lib/languages/nginx'), 'Nginx', 'conf'],
  perl: [() => import('highlight.js/lib/languages/perl'), 'Perl', 'pl'],
  php: [() => import('highlight.js/lib/languages/php'), 'PHP'],
  powershell: [() => import('highlight.js/lib/languages/powershell'), 'PowerShell', 'ps1'],
  python: [() => import('highlight.js/lib/languages/python'), 'Python', 'py', 'python3'],
  ruby: [() => import('highlight.js/lib/languages/ruby'), 'Ruby', 'rb'],
  rust: [() => import('highlight.js/lib/languages/rust'), 'Rust', 'rs'],
  scss: [() => import('highlight.js/lib/languages/scss'), 'SCSS'],
  shell: [() => import('highlight.js/lib/languages/shell'), 'Shell session', 'console'],
  sql: [() => import('highlight.js/lib/languages/sql'), 'SQL', 'postgresql', 'psql'],
  swift: [() => import('highlight.js/lib/languages/swift'), 'Swift'],
  typescript: [() => import('highlight.js/lib/languages/typescript'), 'TypeScript', 'cts', 'mts', 'ts', 'tsx'],
  xml: [() => import('highlight.js/lib/languages/xml'), 'HTML', 'html', 'svg'],
  yaml: [() => import('highlight.js/lib/languages/yaml'), 'YAML', 'yml'],
} as const satisfies Record<string, readonly [() => Promise<{ default: LanguageFn }>, ...string[]]>;

/** Maps the token types of grammars to the few kinds that are colored. Other tokens keep the color of the text. */
const KIND_OF: ReadonlyMap<string, Run[0]> = new Map(
  (
    [
      ['c', 'comment doctag meta quote'],
      ['k', 'attr attribute built_in bullet keyword name section selector-tag type'],
      ['n', 'deletion literal number symbol variable'],
      ['s', 'addition char formula link regexp string'],
    ] as const
  ).flatMap(([kind, types]) => types.split(' ').map((type) => [type, kind] as const)),
);

const lowlight = createLowlight();
type Tree = ReturnType<typeof lowlight.highlight>;

/** Returns a function that highlights code in the language that a fence names. */
export async function highlighter(name: string): Promise<(code: string) => HighlightedCode> {
  const entry = Object.entries(LANGUAGES).find(
    ([own, [, , ...others]]) => own === name || others.some((other) => other === name),
  );
  if (!entry) return (code) => ({ language: null, runs: [[null, code]] });
  const [language, [grammar, label]] = entry;
  if (!lowlight.registered(language)) lowlight.register(language, (await grammar()).default);
  return (code) => ({ language: label, runs: runsOf(lowlight.highlight(language, code).children, null) });
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
  return (typeof first === 'string' && KIND_OF.get(first.replace(/^hljs-/, ''))) || null;
}
