import { LINK_PREFIX, type LinkKind } from '@hub/contract';
import type { Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { generateToken } from '../credentials/generate-token.ts';
import { hashToken } from '../credentials/hash-token.ts';
import type { LinkRecord } from '../storage/users-store.ts';

const PAGES: Readonly<Record<LinkKind, string>> = {
  setup: '/setup',
  invitation: '/join',
  password_reset: '/reset',
};

/** `null` for a link that is valid until it is used or the workspace has an owner. */
const LIFETIME_MS: Readonly<Record<LinkKind, number | null>> = {
  setup: null,
  invitation: 7 * 24 * 60 * 60 * 1000,
  password_reset: 24 * 60 * 60 * 1000,
};

type LinkSubject = Partial<Pick<LinkRecord, 'email' | 'role' | 'hubIds' | 'personId'>>;

/** Creates a link that works once. Browsers never send the part after `#`, so the secret there appears in no log. */
export function newLink(
  { clock, random, newId, server }: Pick<Deps, 'clock' | 'random' | 'newId' | 'server'>,
  caller: Pick<Caller, 'actor'>,
  kind: LinkKind,
  { email = null, role = null, hubIds = [], personId = null }: LinkSubject = {},
): { url: string; link: LinkRecord; tokenHash: Uint8Array } {
  const token = generateToken(LINK_PREFIX, random);
  const now = clock.now();
  const lifetimeMs = LIFETIME_MS[kind];
  const link: LinkRecord = {
    id: newId('lnk'),
    kind,
    email,
    role,
    hubIds,
    personId,
    createdAt: now,
    createdBy: caller.actor,
    expiresAt: lifetimeMs === null ? null : now + lifetimeMs,
  };
  return { url: `${server.baseUrl()}${PAGES[kind]}#${token}`, link, tokenHash: hashToken(token) };
}
