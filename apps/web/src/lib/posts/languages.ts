/** Language names as written after a code fence, and their display names. */
const NAMES = {
  bash: 'Shell',
  c: 'C',
  cpp: 'C++',
  csharp: 'C#',
  css: 'CSS',
  diff: 'Diff',
  dockerfile: 'Dockerfile',
  go: 'Go',
  graphql: 'GraphQL',
  ini: 'INI',
  java: 'Java',
  javascript: 'JavaScript',
  json: 'JSON',
  kotlin: 'Kotlin',
  lua: 'Lua',
  makefile: 'Makefile',
  markdown: 'Markdown',
  nginx: 'Nginx',
  perl: 'Perl',
  php: 'PHP',
  powershell: 'PowerShell',
  python: 'Python',
  ruby: 'Ruby',
  rust: 'Rust',
  scss: 'SCSS',
  shell: 'Shell session',
  sql: 'SQL',
  swift: 'Swift',
  typescript: 'TypeScript',
  xml: 'HTML',
  yaml: 'YAML',
} as const;

export type Language = keyof typeof NAMES;

const ALIASES: Readonly<Record<string, Language>> = {
  'c++': 'cpp',
  cc: 'cpp',
  conf: 'nginx',
  console: 'shell',
  cs: 'csharp',
  docker: 'dockerfile',
  golang: 'go',
  h: 'c',
  hpp: 'cpp',
  html: 'xml',
  js: 'javascript',
  json5: 'json',
  jsonc: 'json',
  jsx: 'javascript',
  kt: 'kotlin',
  make: 'makefile',
  md: 'markdown',
  mjs: 'javascript',
  patch: 'diff',
  pl: 'perl',
  ps1: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  svg: 'xml',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  yml: 'yaml',
  zsh: 'bash',
};

/** Returns the language that a fence names, or null if it cannot be highlighted. */
export function languageOf(name: string | null): Language | null {
  if (name === null) return null;
  if (Object.hasOwn(NAMES, name)) return name as Language;
  return Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? null) : null;
}

export function nameOf(language: Language): string {
  return NAMES[language];
}
