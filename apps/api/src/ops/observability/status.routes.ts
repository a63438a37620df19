import type { NodeStatus, SendTestMailBody, SentTestMail, ServerStatus } from '@hub/contract';
import { type Caller, senderOf } from '../../access/caller.ts';
import { serve } from '../../http/operations/serve.ts';
import type { LiveDeps } from '../../live/live-server.ts';
import { MailError } from '../../mail/smtp-transport.ts';
import type { NotificationDeps } from '../../notifications/notifications.ts';
import { AppError, tooManyRequests } from '../../platform/errors.ts';
import { isoTime } from '../../platform/time.ts';
import { backupView } from '../../workspace/backups/backups.ts';
import type { PasswordDeps } from '../../workspace/users/check-password.ts';
import { emailAddress } from '../../workspace/users/email-address.ts';
import { redirectUrl } from '../../workspace/users/identity-provider.ts';

export function statusRoutes(deps: NotificationDeps & Pick<PasswordDeps, 'provider'>) {
  const { server } = deps;
  return serve({
    'GET /': () => ({ name: 'hub', version: server.version, baseUrl: server.baseUrl() }),
    'GET /status': () => readStatus(deps),
    'POST /test-mails': ({ body, caller }) => sendTestMail(deps, caller, body),
    'GET /nodes': async () => (await deps.node?.list()) ?? { items: [], missing: [] },
  });
}

async function readStatus(
  deps: Pick<NotificationDeps, 'store' | 'clock' | 'server' | 'node' | 'live' | 'notifications' | 'limits' | 'mail'> &
    Pick<PasswordDeps, 'provider'>,
): Promise<ServerStatus> {
  const { store, clock, server, provider } = deps;
  const problem = deps.notifications.pushProblem;
  const certificate = server.certificate();
  const { last } = store.backups.history();
  const [totals, node, fileBytes, mail] = await Promise.all([
    store.workspace.totals(clock.now()),
    readNodeStatus(deps),
    store.files.totalBytes(),
    deps.mail && store.mails.state(),
    provider?.check(),
  ]);
  return {
    version: server.version,
    baseUrl: server.baseUrl(),
    plainHttpHost: server.plainHttpHost,
    certificate: certificate && { ...certificate, expiresAt: isoTime(certificate.expiresAt) },
    startedAt: isoTime(server.startedAt),
    uptimeSeconds: Math.max(0, Math.floor((clock.monotonic() - server.startedAtMonotonic) / 1000)),
    dataDir: server.dataDir,
    storage: node === null ? 'sqlite' : 'postgresql',
    node,
    ...store.sizes(),
    fileBytes,
    maxFileBytes: deps.limits.filesMaxBytes,
    ...totals,
    provider: provider && {
      issuer: provider.settings.oidcIssuer,
      redirectUrl: redirectUrl(server.baseUrl()),
      problem: provider.problem,
      clockDifferenceMs: provider.clockDifferenceMs && Math.round(provider.clockDifferenceMs),
    },
    mail: mail && deps.mail && { server: deps.mail.transport.server, from: deps.mail.transport.from, ...mail },
    lastBackup: last && backupView(last),
    pushProblem: problem && { message: problem.message, at: isoTime(problem.at) },
  };
}

/** Returns the status of this node and of what it shares with others, or null if this server runs alone. */
export async function readNodeStatus(deps: Pick<LiveDeps, 'node' | 'live' | 'store'>): Promise<NodeStatus | null> {
  const { node } = deps;
  if (node === null) return null;
  const [cluster, eventLag] = await Promise.all([node.cluster(), readEventLag(deps)]);
  return { id: node.id, isLeader: node.isLeader(), clockDifferenceMs: node.clockDifferenceMs(), eventLag, ...cluster };
}

/** Returns how many committed events are not published yet, in the followed Hub that is furthest behind. */
async function readEventLag({ live: { feeds }, store }: Pick<LiveDeps, 'live' | 'store'>): Promise<number> {
  if (feeds.size === 0) return 0;
  const heads = await store.events.heads([...feeds.keys()]);
  return Math.max(0, ...[...heads].map(([hubId, seq]) => seq - (feeds.get(hubId)?.published ?? seq)));
}

/** Sends a mail at once, and returns why that failed, if it did. */
async function sendTestMail(
  { mail, newId, testNotificationRate }: NotificationDeps,
  caller: Caller,
  { to }: SendTestMailBody,
): Promise<SentTestMail> {
  if (!mail) throw new AppError('conflict', 'This server sends no mail. Set HUB_SMTP_URL and HUB_MAIL_FROM.');
  const seconds = testNotificationRate.admit(senderOf(caller));
  if (seconds > 0) throw tooManyRequests(`Too many test mails within a minute. Try again in ${seconds} s.`, seconds);
  const content = {
    subject: 'Test mail',
    paragraphs: [`${caller.actor.name} has sent this mail to see that mail works.`],
  };
  try {
    await mail.sendNow({ id: newId('mail'), recipient: emailAddress(to, 'to'), content });
    return { problem: null };
  } catch (error) {
    if (error instanceof MailError) return { problem: error.message };
    throw error;
  }
}
