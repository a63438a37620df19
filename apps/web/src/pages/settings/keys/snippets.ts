import type { PostKind } from './key-state.ts';

interface Snippet {
  name: string;
  language: string;
  code: string;
  /** Whether it runs in a shell, in which case `READ_KEY` is run first. */
  isForShell: boolean;
}

const BODIES = {
  messages: { text: 'Backup finished' },
  notes: { title: 'Release 2.4', content: 'Faster start' },
  todos: { title: 'Renew the certificate', priority: 'HIGH' },
} satisfies Record<PostKind, object>;

const HUBCTL = {
  messages: "'Backup finished'",
  notes: "note --title 'Release 2.4' 'Faster start'",
  todos: "todo 'Renew the certificate' --priority high",
} satisfies Record<PostKind, string>;

/** Uses only values that cannot contain characters with a special meaning in JSON or the shell. */
const FROM_A_RUN = {
  messages: { text: `$GITHUB_REPOSITORY, run $GITHUB_RUN_NUMBER: \${{ job.status }}` },
  notes: { title: '$GITHUB_REPOSITORY', content: `Run $GITHUB_RUN_NUMBER: \${{ job.status }}` },
  todos: { title: 'Look at run $GITHUB_RUN_NUMBER of $GITHUB_REPOSITORY' },
} satisfies Record<PostKind, object>;

/** Reads the key into the environment of bash or zsh without showing it or leaving it in the history. */
export const READ_KEY = 'read -rs HUB_API_KEY && export HUB_API_KEY';

/** Returns snippets that post this kind of item. None contains the key: HUB_API_KEY holds it. */
export function snippetsFor(kind: PostKind, baseUrl: string): Snippet[] {
  return [
    { name: 'curl', language: 'bash', code: curl(kind, baseUrl), isForShell: true },
    { name: 'hubctl', language: 'bash', code: hubctl(kind, baseUrl), isForShell: true },
    { name: 'TypeScript', language: 'ts', code: client(kind, baseUrl), isForShell: false },
    { name: 'GitHub Actions', language: 'yaml', code: actions(kind, baseUrl), isForShell: false },
  ];
}

function curl(kind: PostKind, baseUrl: string): string {
  return `curl -H "Authorization: Bearer $HUB_API_KEY" -H "Content-Type: application/json" \\
  -d '${spaced(BODIES[kind])}' ${baseUrl}/api/public/v1/${kind}`;
}

function hubctl(kind: PostKind, baseUrl: string): string {
  return `hubctl post --url ${baseUrl} ${HUBCTL[kind]}`;
}

function client(kind: PostKind, baseUrl: string): string {
  const fields = Object.entries(BODIES[kind]).map(([name, value]) => `${name}: '${value}'`);
  return `import { HubClient } from '@hub/client';

const hub = new HubClient({
  baseUrl: '${baseUrl}',
  apiKey: process.env.HUB_API_KEY,
});
await hub.${kind}.create({ ${fields.join(', ')} });`;
}

/** Returns a workflow step that reads the key from a repository secret. */
function actions(kind: PostKind, baseUrl: string): string {
  return `# Add the key to the repository as a secret named HUB_API_KEY.
- name: Post to Hub
  if: always()
  continue-on-error: true
  env:
    HUB_API_KEY: \${{ secrets.HUB_API_KEY }}
  run: |
    curl -sS --fail-with-body ${baseUrl}/api/public/v1/${kind} \\
      -H "Authorization: Bearer $HUB_API_KEY" \\
      -H "Content-Type: application/json" \\
      -d "${spaced(FROM_A_RUN[kind]).replaceAll('"', '\\"')}"`;
}

function spaced(body: object): string {
  const fields = Object.entries(body).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{${fields.join(', ')}}`;
}

/** Whether only programs on this computer can reach the address. */
export function isLocalAddress(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname) || hostname.endsWith('.localhost');
}
