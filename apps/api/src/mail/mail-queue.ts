import type { NewId } from '../platform/ids.ts';
import type { Clock, Log, MailTransport, OutgoingMail } from '../platform/ports.ts';
import { repeat, WHEN_DUE } from '../platform/repeat.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';
import type { CommitListeners } from '../storage/commit-report.ts';
import type { MailContent, MailRecord, NewMail } from '../storage/mails.ts';
import type { Repositories } from '../storage/repositories.ts';
import type { Store } from '../storage/store.ts';
import { MailError } from './smtp-transport.ts';

const AT_A_TIME = 20;
/** After a kill in the middle of an attempt, the next one begins this much later. Longer than any attempt takes. */
const CLAIM_MS = 5 * 60_000;
const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = HOUR_MS;
/** A mail that could not be sent for this long is given up. */
const GIVE_UP_MS = DAY_MS;
/** How long no other mail is tried after the server could not be reached, or has rejected the sender. */
const PAUSE_MS = 30_000;

/** Mails and attempts of this node since its start, for the metrics. */
export type MailCounts = Record<'sent' | 'retried' | 'failed', number>;

interface MailQueueOptions {
  store: Store;
  clock: Clock;
  log: Log;
  newId: NewId;
  transport: MailTransport;
  baseUrl: () => string;
  /** Makes the link of a mail, in the transaction that takes it; `null` if the mail is not wanted any more. */
  linkFor: (tx: Repositories, mail: MailRecord) => Promise<string | null>;
}

/**
 * Mails that wait in the database, so that a request never waits for a mail server and a kill loses none. One node sends
 * them. Each is taken before it is sent, so that another node, or this one after a restart, does not send it as well.
 */
export class MailQueue {
  readonly counts: MailCounts = { sent: 0, retried: 0, failed: 0 };
  #pausedUntil = 0;

  constructor(private readonly options: MailQueueOptions) {}

  get transport(): MailTransport {
    return this.options.transport;
  }

  /** Adds a mail in the transaction of the change that it is about. */
  async add({ mails }: Pick<Repositories, 'mails'>, mail: NewMail): Promise<void> {
    const { clock, newId } = this.options;
    const now = clock.now();
    const times = { createdAt: now, dueAt: now, attempts: 0 };
    await mails.insert({ id: newId('mail'), linkKind: null, linkId: null, ...mail, ...times });
  }

  /** Sends mails as they become due, while this node leads. `tick` is called before each look at the queue. */
  sendRegularly(commits: CommitListeners, isLeader: (() => boolean) | undefined, tick: () => Promise<unknown>) {
    const failure = 'Failed to read the queue of mails';
    return repeat(
      this.options,
      { ...WHEN_DUE, isLeader, onDue: commits.onDue, failure },
      async (isStopped: () => boolean) => {
        await tick();
        return this.sendDue(isStopped);
      },
    );
  }

  /** Returns when the next mail is due; `null` if none waits. */
  async sendDue(isStopped = () => false): Promise<number | null> {
    const { store, clock } = this.options;
    const pauseMs = () => Math.max(0, this.#pausedUntil - clock.monotonic());
    for (const mail of pauseMs() > 0 ? [] : await store.mails.listDue(clock.now(), AT_A_TIME)) {
      if (isStopped() || pauseMs() > 0) break;
      await this.#send(mail);
    }
    const dueAt = await store.mails.nextDueAt();
    return dueAt && Math.max(dueAt, clock.now() + pauseMs());
  }

  /** Sends a mail at once, without the queue. @throws MailError */
  async sendNow(mail: Pick<MailRecord, 'id' | 'recipient' | 'content'>, url: string | null = null): Promise<void> {
    const { store, transport } = this.options;
    const baseUrl = this.options.baseUrl();
    const { name: workspaceName } = await store.workspace.find();
    const path = mail.content.action?.path;
    const rendered = renderMail(mail.content, {
      url: path === undefined ? url : baseUrl + path,
      workspaceName,
      baseUrl,
    });
    await transport.send({ id: mail.id, to: mail.recipient, workspaceName, ...rendered });
  }

  async #send(mail: MailRecord): Promise<void> {
    const { store, clock, log, linkFor } = this.options;
    const { id } = mail;
    const url = await store.transaction(async (tx) => {
      if (!(await tx.mails.claim(mail, clock.now() + CLAIM_MS))) return null;
      if (mail.linkKind === null) return '';
      const link = await linkFor(tx, mail);
      if (link === null) await tx.mails.delete(id);
      return link;
    });
    if (url === null) return;
    try {
      await this.sendNow(mail, url === '' ? null : url);
    } catch (error) {
      if (!(error instanceof MailError)) throw error;
      return this.#failed(mail, error);
    }
    this.counts.sent += 1;
    // Otherwise, it would be sent again.
    await store.transaction(({ mails }) => mails.delete(id));
    log.info({ mailId: id }, 'Mail sent');
  }

  async #failed({ id, attempts, createdAt }: MailRecord, error: MailError): Promise<void> {
    const { store, clock, log } = this.options;
    const now = clock.now();
    const dueAt = now + Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** attempts);
    const isGivenUp = error.isFinal || dueAt > createdAt + GIVE_UP_MS;
    if (error.isOfServer) this.#pausedUntil = clock.monotonic() + PAUSE_MS;
    this.counts[isGivenUp ? 'failed' : 'retried'] += 1;
    const problem = error.message;
    await store.transaction(({ mails }) => mails.fail(id, { dueAt, problem, givenUpAt: isGivenUp ? now : null }));
    log.warn({ mailId: id, problem }, isGivenUp ? 'Mail given up' : 'Mail not sent; retrying');
  }
}

type Rendered = Pick<OutgoingMail, 'subject' | 'text' | 'html'>;

/** Returns a mail as plain text and as simple HTML. `url`: the address of its action. */
export function renderMail(
  { subject, paragraphs, action }: MailContent,
  { url, workspaceName, baseUrl }: { url: string | null; workspaceName: string; baseUrl: string },
): Rendered {
  const [first = '', ...others] = paragraphs;
  const link = action && url !== null ? { label: action.label, url } : null;
  const foot = `${workspaceName}, ${baseUrl}`;
  const text = [first, link && `${link.label}: ${link.url}`, ...others, `-- \n${foot}`]
    .filter((part) => part !== null)
    .join('\n\n');
  const html = [
    paragraph(first),
    link && `<p><a href="${escaped(link.url)}" style="${BUTTON}">${escaped(link.label)}</a></p>`,
    ...others.map(paragraph),
    `<p style="color:#6c6860;font-size:13px">${escaped(foot)}</p>`,
  ];
  const body = html.filter((part) => part !== null).join('\n');
  return {
    // Line breaks would begin another header.
    subject: subject.replaceAll(/\s+/g, ' '),
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="en"><body style="${BODY}">\n${body}\n</body></html>\n`,
  };
}

const BODY =
  'font:15px/1.5 system-ui,sans-serif;color:#201f1c;background:#fff;max-width:36rem;margin:0 auto;padding:24px';
const BUTTON =
  'display:inline-block;padding:8px 16px;border-radius:7px;background:#2857c4;color:#fff;text-decoration:none';

const paragraph = (text: string): string => `<p>${escaped(text).replaceAll('\n', '<br>')}</p>`;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
