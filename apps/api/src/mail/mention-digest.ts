import type { Clock } from '../platform/ports.ts';
import { DAY_MS, isoTime } from '../platform/time.ts';
import type { CommitListeners } from '../storage/commit-report.ts';
import type { Store } from '../storage/store.ts';
import type { MailQueue } from './mail-queue.ts';

const EVERY_MS = 60_000;
/** How long a mention stays unread before it is mailed. It also leaves so much time between two mails. */
const UNREAD_MS = 30 * 60_000;
const MAX_LISTED = 20;

interface DigestDeps {
  store: Store;
  clock: Clock;
  mail: MailQueue;
}

/** Sends mails as they become due, and unread mentions, while this node leads. Returns what stops it. */
export function startMail(
  { mail, commits, ...deps }: Omit<DigestDeps, 'mail'> & { mail: MailQueue | null; commits: CommitListeners },
  isLeader?: () => boolean,
) {
  return mail?.sendRegularly(commits, isLeader, mentionDigest({ ...deps, mail }));
}

/** Returns a function that mails unread mentions, if it has not looked for them within the last minute. */
export function mentionDigest(deps: DigestDeps): () => Promise<void> {
  let next = 0;
  return async () => {
    const now = deps.clock.monotonic();
    if (now < next) return;
    next = now + EVERY_MS;
    await mailMentions(deps);
  };
}

/** Mails users their mentions that stayed unread, each once, if they want that. The mail has no text of posts. */
async function mailMentions({ store, clock, mail }: DigestDeps): Promise<void> {
  const now = clock.now();
  // Older ones are not mailed when a user turns the mails on.
  const since = now - DAY_MS;
  for (const { id: userId, name, email } of await store.mentions.wantingDigest({ since, before: now - UNREAD_MS })) {
    const unread = await store.mentions.listUnmailed({ userId, since, limit: MAX_LISTED + 1 });
    const [newest] = unread;
    // Read meanwhile.
    if (!newest) continue;
    const count = unread.length > MAX_LISTED ? `More than ${MAX_LISTED}` : String(unread.length);
    const noun = unread.length === 1 ? 'unread mention' : 'unread mentions';
    const lines = unread
      .slice(0, MAX_LISTED)
      .map(({ createdAt, hubName, authorName }) => `${authorName ?? 'An admin'} in ${hubName}, ${timeText(createdAt)}`);
    const content = {
      subject: `${count} ${noun}`,
      paragraphs: [
        [`Hello ${name}, these members and programs have mentioned you:`, ...lines].join('\n'),
        'You get this mail since you chose it in the settings of your notifications.',
      ],
      action: { label: 'Open the Stream', path: '/stream' },
    };
    await store.transaction(async (tx) => {
      await tx.notifications.setMailed(userId, newest.globalSeq);
      await mail.add(tx, { recipient: email, content });
    });
  }
}

/** How a mail writes a time: "2026-03-01 09:30 UTC". */
export function timeText(at: number): string {
  return `${isoTime(at).slice(0, 16).replace('T', ' ')} UTC`;
}
