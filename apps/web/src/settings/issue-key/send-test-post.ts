import type { IssuedKey } from '@hub/contract';
import { firstKind, type PostKind } from './key-scopes.ts';

const RESPONSE_MS = 20_000;

const BODIES = {
  messages: { text: 'A test post: this key works.' },
  notes: { title: 'A test post', content: 'This key works.' },
  todos: { title: 'A test post: this key works' },
} satisfies Record<PostKind, object>;

/**
 * Posts with the key itself, as a program would, without the page's cookie. Nothing else in the web app sends a key.
 * Resolves to the id of the post.
 * @throws Error with a message for the user.
 */
export async function sendTestPost({ key, scopes }: Pick<IssuedKey, 'key' | 'scopes'>): Promise<string> {
  const kind = firstKind(scopes);
  const response = await fetch(`/api/public/v1/${kind}`, {
    method: 'POST',
    credentials: 'omit',
    cache: 'no-store',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(BODIES[kind]),
    signal: AbortSignal.timeout(RESPONSE_MS),
  }).catch(() => null);
  if (!response) throw new Error("Can't reach the server. Check your connection and try again.");
  const body = (await response.json().catch(() => ({}))) as { data?: { id?: unknown }; message?: unknown };
  if (response.ok && typeof body.data?.id === 'string') return body.data.id;
  throw new Error(typeof body.message === 'string' ? body.message : `The server returned ${response.status}.`);
}
