import { deviceName } from '@hub/contract/device-name';
import type { Deps } from '../../access/deps.ts';
import { clientNetwork } from '../../access/failed-authentication.ts';
import { timeText } from '../../mail/mention-digest.ts';
import { DAY_MS } from '../../platform/time.ts';
import type { Repositories } from '../../storage/repositories.ts';
import type { SessionRecord } from '../../storage/sessions-and-tokens.ts';
import type { UserRecord } from '../../storage/users.ts';

interface Notice {
  /** A sentence about the account, such as "Your password was changed." */
  event: string;
  /** Where it came from; `null`: not from a request. */
  address: string | null;
  /** The page on which the user can undo it. */
  action: { label: string; path: string };
}

/** Mails users what has happened to their account, in the transaction in which it does. Without mail, does nothing. */
export async function noticeUser(
  tx: Pick<Repositories, 'mails'>,
  { mail, clock }: Pick<Deps, 'mail' | 'clock'>,
  { name, email }: Pick<UserRecord, 'name' | 'email'>,
  { event, address, action }: Notice,
): Promise<void> {
  const from = address === null ? '' : ` from ${address}`;
  await mail?.add(tx, {
    recipient: email,
    content: {
      subject: event.replace(/\.$/, ''),
      paragraphs: [
        `Hello ${name}, ${event.charAt(0).toLowerCase()}${event.slice(1)} This was at ${timeText(clock.now())}${from}.`,
        'If it was not you, open the link above, and tell an admin.',
      ],
      action,
    },
  });
}

export const PASSWORD_PAGE = { label: 'Your password', path: '/settings/profile' };
const SESSIONS_PAGE = { label: 'Your sessions', path: '/settings/sessions' };

/** How far back sign-ins are compared, and at most how many. */
const KNOWN_DAYS = 90;
const MAX_COMPARED = 100;

/**
 * Mails a user that they have signed in on a new device: with a browser, system and network that none of their sessions
 * and recent sign-ins had. The first sign-in of an account is not news. Never rejects: the user has signed in.
 */
export async function noticeNewDevice(deps: Deps, user: UserRecord, session: SessionRecord): Promise<void> {
  const { store, clock, log, mail } = deps;
  if (!mail) return;
  const now = clock.now();
  const keyOf = (userAgent: unknown, address: string | null) =>
    `${deviceName(typeof userAgent === 'string' ? userAgent : null)} ${clientNetwork(address ?? '')}`;
  try {
    const from = now - KNOWN_DAYS * DAY_MS;
    const [sessions, { entries }] = await Promise.all([
      store.users.listSessions({ userId: user.id, now, limit: MAX_COMPARED }),
      store.audit.search({ actorId: user.id, action: 'session.started', from, limit: MAX_COMPARED }),
    ]);
    const known = [
      ...sessions.filter(({ id }) => id !== session.id).map(({ userAgent, address }) => keyOf(userAgent, address)),
      ...entries
        .filter(({ targetId }) => targetId !== session.id)
        .map((entry) => keyOf(entry.details.userAgent, entry.address)),
    ];
    if (known.length === 0 || known.includes(keyOf(session.userAgent, session.address))) return;
    const event = `You signed in with ${deviceName(session.userAgent)}.`;
    const { address } = session;
    await store.transaction((tx) => noticeUser(tx, deps, user, { event, address, action: SESSIONS_PAGE }));
  } catch (err) {
    log.warn({ err, userId: user.id }, 'Failed to notice a sign-in on a new device');
  }
}
