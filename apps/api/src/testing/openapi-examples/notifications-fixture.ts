import type { PushTransport } from '../../ports.ts';
import type { Team } from './users-fixture.ts';

/** A push service that accepts everything and delivers nothing. */
export const examplePush: PushTransport = {
  isLocalAllowed: false,
  post: async () => ({ status: 201, retryAfter: null }),
};

/** Records the notification settings of a user. The keys of the browser are from the example in RFC 8291. */
export async function recordNotifications({ ada, hubId }: Team): Promise<void> {
  await ada('changeNotices', { body: { replies: false } });
  await ada('setQuietHours', {
    body: { fromMinute: 1_320, toMinute: 420, days: [1, 2, 3, 4, 5], timeZone: 'Europe/Berlin' },
  });
  await ada('setHubNotices', { path: { hubId }, body: { mode: 'muted' } });
  const newKey = { hubId, name: 'uptime-probe', scopes: ['messages:create'], lifetimeSeconds: 2_592_000 };
  const { id: keyId } = await ada<{ id: string }>('issueKey', { body: newKey, isAside: true });
  await ada('listNoticeKeys');
  await ada('setKeyNotices', { path: { keyId }, body: { mode: 'every' } });
  await ada('subscribePush', {
    body: {
      endpoint: 'https://push.example.net/wpush/v2/gAAAAABnExample',
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  });
  await ada('showNotices');
  await ada('sendTestNotice');
  await ada('endQuietHours');
  await ada('unsubscribePush');
  await ada('setHubNotices', { path: { hubId }, body: { mode: 'usual' }, isAside: true });
}
