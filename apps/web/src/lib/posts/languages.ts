/** Languages by their name after a code fence: the display name, and other names after a fence. */
const LANGUAGES = {
  bash: ['Shell', 'sh', 'zsh'],
  c: ['C', 'h'],
  cpp: ['C++', 'c++', 'cc', 'cxx', 'hpp'],
  csharp: ['C#', 'c#', 'cs'],
  css: ['CSS'],
  diff: ['Diff', 'patch'],
  dockerfile: ['Dockerfile', 'docker'],
  go: ['Go', 'golang'],
  graphql: ['GraphQL'],
  ini: ['INI', 'toml'],
  java: ['Java'],
  javascript: ['JavaScript', 'cjs', 'js', 'jsx', 'mjs'],
  json: ['JSON', 'json5', 'jsonc', 'jsonl'],
  kotlin: ['Kotlin', 'kt'],
  lua: ['Lua'],
  makefile: ['Makefile', 'make'],
  markdown: ['Markdown', 'md'],
  nginx: ['Nginx', 'conf'],
  perl: ['Perl', 'pl'],
  php: ['PHP'],
  powershell: ['PowerShell', 'ps1'],
  python: ['Python', 'py', 'python3'],
  ruby: ['Ruby', 'rb'],
  rust: ['Rust', 'rs'],
  scss: ['SCSS'],
  shell: ['Shell session', 'console'],
  sql: ['SQL', 'postgresql', 'psql'],
  swift: ['Swift'],
  typescript: ['TypeScript', 'cts', 'mts', 'ts', 'tsx'],
  xml: ['HTML', 'html', 'svg'],
  yaml: ['YAML', 'yml'],
} as const satisfies Record<string, readonly string[]>;

export type Language = keyof typeof LANGUAGES;

/** Returns the language that a fence names, or null if it cannot be highlighted. */
export function languageOf(name: string | null): Language | null {
  if (name === null) return null;
  const entry = Object.entries(LANGUAGES).find(
    ([own, [, ...others]]) => own === name || others.some((other) => other === name),
  );
  return (entry?.[0] as Language | undefined) ?? null;
}

export function nameOf(language: Language): string {
  return LANGUAGES[language][0];
}
