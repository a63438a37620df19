import type { PostKind } from './key-scopes.ts';

export interface Snippet {
  name: string;
  /** As a fence names it. */
  language: string;
  code: string;
  /** Whether it asks for the key where none is set. */
  asks: boolean;
}

const BODIES = {
  messages: { text: 'Backup finished: 12.4 GB in 6 min 40 s' },
  notes: { title: 'Release 2.4', content: 'Faster start, and fewer restarts.' },
  todos: { title: 'Renew the certificate', priority: 'HIGH' },
} satisfies Record<PostKind, object>;

const HUBCTL = {
  messages: "hubctl post 'Backup finished: 12.4 GB in 6 min 40 s'",
  notes: "hubctl post note --title 'Release 2.4' 'Faster start, and fewer restarts.'",
  todos: "hubctl post todo 'Renew the certificate' --priority high",
} satisfies Record<PostKind, string>;

/** Of what a run knows, only what cannot hold signs that JSON or the shell take for their own. */
const FROM_A_RUN = {
  messages: { text: `$GITHUB_REPOSITORY, run $GITHUB_RUN_NUMBER: \${{ job.status }}` },
  notes: { title: '$GITHUB_REPOSITORY', content: `Run $GITHUB_RUN_NUMBER: \${{ job.status }}` },
  todos: { title: 'Look at run $GITHUB_RUN_NUMBER of $GITHUB_REPOSITORY' },
} satisfies Record<PostKind, object>;

/**
 * Asks for the key where none is set and somebody can answer. It is one list of commands, so that a shell takes all that was pasted
 * before it asks, and in the words that bash, zsh and dash have in common: dash has no `read -s`. The terminal shows again what is
 * typed however the question ends. Nothing is no key: who has pressed Enter once too often would else type the key as a command.
 */
const READ_KEY = `if [ -z "\${HUB_API_KEY:-}" ] && [ -t 0 ]; then HUB_API_KEY=$(
  trap 'stty echo' EXIT; trap 'exit 1' INT TERM
  stty -echo; printf 'API key: ' >&2
  while read -r key && [ -z "$key" ]; do :; done
  echo >&2; printf %s "$key"
); fi && export HUB_API_KEY="\${HUB_API_KEY:?}" &&`;

/** How programs post with a key that may create such. The key itself is in none of them: HUB_API_KEY holds it. */
export function snippetsFor(kind: PostKind, baseUrl: string): Snippet[] {
  return [
    { name: 'curl', language: 'bash', code: curl(kind, baseUrl), asks: true },
    { name: 'hubctl', language: 'bash', code: hubctl(kind, baseUrl), asks: true },
    { name: 'TypeScript', language: 'ts', code: client(kind, baseUrl), asks: false },
    { name: 'GitHub Actions', language: 'yaml', code: actions(kind, baseUrl), asks: false },
  ];
}

function curl(kind: PostKind, baseUrl: string): string {
  return `${READ_KEY}
curl -sS --fail-with-body ${baseUrl}/api/public/v1/${kind} \\
  -H "Authorization: Bearer $HUB_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${spaced(BODIES[kind])}'`;
}

function hubctl(kind: PostKind, baseUrl: string): string {
  return `${READ_KEY}
export HUB_URL=${baseUrl} &&
${HUBCTL[kind]}`;
}

function client(kind: PostKind, baseUrl: string): string {
  const fields = Object.entries(BODIES[kind]).map(([name, value]) => `${name}: '${value}'`);
  return `import { HubClient } from '@hub/client';

const hub = new HubClient({
  baseUrl: '${baseUrl}',
  apiKey: process.env.HUB_API_KEY ?? '',
});
await hub.${kind}.create({ ${fields.join(', ')} });`;
}

/** A step of a job, with the key as a secret of the repository. */
function actions(kind: PostKind, baseUrl: string): string {
  return `# Store the key as the secret HUB_API_KEY of the repository.
- name: Tell the Hub
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

/** JSON as people write it. */
function spaced(body: object): string {
  const fields = Object.entries(body).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{${fields.join(', ')}}`;
}

/** Whether only programs on this computer can reach the address. */
export function isLocalAddress(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname) || hostname.endsWith('.localhost');
}
