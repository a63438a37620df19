import { describe, expect, test } from 'bun:test';
import type { IssuedLink } from '@hub/contract';
import { failureOf } from '@hub/testkit/concurrency';
import { startIdentityProvider } from '@hub/testkit/in-process/identity-provider';
import { linkIn, startMailServer } from '@hub/testkit/in-process/mail-server';
import { perTest } from '@hub/testkit/in-process/shared';
import { teamOn } from '@hub/testkit/in-process/team';
import { startAfterKill, startTestHub } from '@hub/testkit/in-process/test-hub';
import { createUser, inspect, postJson, redeem, signedIn, signIn, trySignIn } from '@hub/testkit/in-process/users';
import { type MailQueue, renderMail } from './mail-queue.ts';
import { mentionDigest } from './mention-digest.ts';
import { MailError } from './smtp-transport.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const server = perTest(startMailServer);
const hub = perTest(() => startTestHub({ mail: server.transport() }));

const sendDue = (on = hub) => on.deps.mail?.sendDue();
const stateOf = async (on = hub) => (await on.admin.status()).mail;
const invite = (email: string) => hub.admin.request('POST /invitations', { body: { email } });
const request = (email: string, on = hub) => postJson(on, '/password-resets', { email });

describe('a mail', () => {
  test('is sent once, encrypted, with plain text and HTML, and leaves nothing in the database', async () => {
    const { link, isMailed } = await invite('ada@example.org');
    expect(isMailed).toBe(true);
    expect(await hub.query<{ content: string }>('select * from mails')).toHaveLength(1);
    expect(JSON.stringify(await hub.query('select * from mails'))).not.toContain('hub_lnk_');
    await Promise.all([sendDue(), sendDue()]);
    await sendDue();
    const mail = server.take('ada@example.org');
    expect(mail.isEncrypted).toBe(true);
    for (const line of ['From: Hub <hub@example.org>', 'Subject: Join Hub', 'Auto-Submitted: auto-generated'])
      expect(mail.headers.split('\n')).toContain(line);
    expect(mail.body).toContain('An admin has invited you to Hub.');
    expect(mail.body).toContain(`<a href="${hub.url}/join#`);
    expect(await stateOf()).toMatchObject({ waiting: 0, failed: 0, problem: null });
    // Both links work, the one of the mail and the one that the admin sees: once.
    const { token } = linkIn(mail);
    const shown = link.split('#')[1] ?? '';
    expect(token).not.toBe(shown);
    expect((await inspect(hub, shown)).status).toBe(200);
    expect((await redeem(hub, { token, name: 'Ada', password: 'a good password' })).status).toBe(201);
    expect((await redeem(hub, { token: shown, name: 'Eve', password: 'a good password' })).status).toBe(404);
  });

  test('that the server rejects for now is repeated later and later, and given up after a day', async () => {
    server.reject = () => 451;
    await invite('ada@example.org');
    await sendDue();
    expect(await stateOf()).toMatchObject({ waiting: 1, failed: 0, problem: expect.stringContaining('451') });
    hub.clock.advance(MINUTE_MS - 1);
    await sendDue();
    expect(hub.deps.mail?.counts).toMatchObject({ retried: 1, failed: 0 });
    server.reject = () => null;
    hub.clock.advance(1);
    await sendDue();
    expect(server.take('ada@example.org').to).toBe('ada@example.org');
    server.reject = () => 451;
    await invite('bob@example.org');
    let hours = 0;
    for (; (await stateOf())?.failed === 0; hours += 3) {
      await sendDue();
      hub.clock.advance(3 * HOUR_MS);
    }
    expect(hours).toBeWithin(20, 28);
    expect(await stateOf()).toMatchObject({ waiting: 0, failed: 1 });
  });

  test.each(['RCPT TO', 'DATA'] as const)(
    'rejected permanently at %s is given up at once, and others are sent',
    async (place) => {
      server.reject = (to, at) => (to === 'gone@example.org' && at === place ? 550 : null);
      await invite('gone@example.org');
      await invite('ada@example.org');
      await sendDue();
      expect(server.take('ada@example.org').to).toBe('ada@example.org');
      expect(await stateOf()).toMatchObject({ waiting: 0, failed: 1, problem: expect.stringContaining('550') });
    },
  );

  test('waits while the server is away or rejects the password, and the queue pauses', async () => {
    server.password = 'another one';
    await invite('ada@example.org');
    await invite('bob@example.org');
    await sendDue();
    await sendDue();
    expect(hub.deps.mail?.counts.retried).toBe(1);
    expect(await stateOf()).toMatchObject({ waiting: 2, problem: expect.stringContaining('535') });
    server.password = 'the password of mail';
    hub.clock.advance(MINUTE_MS);
    await sendDue();
    expect(server.mails.map(({ to }) => to).sort()).toEqual(['ada@example.org', 'bob@example.org']);
  });

  test('survives a kill, in the middle of an attempt too, which is repeated five minutes later', async () => {
    await invite('ada@example.org');
    await invite('bob@example.org');
    const [first] = await hub.store.mails.listDue(hub.clock.now(), 1);
    if (!first) throw new Error('No mail waits');
    await hub.store.transaction(({ mails }) => mails.claim(first, hub.clock.now() + 5 * MINUTE_MS));
    await using restarted = await startAfterKill(hub);
    expect(restarted.deps.mail).toBeNull();
    expect(await restarted.store.mails.listDue(hub.clock.now(), 10)).toHaveLength(1);
    expect(await restarted.store.mails.listDue(hub.clock.now() + 5 * MINUTE_MS, 10)).toHaveLength(2);
  });

  test('of an invitation that was withdrawn is not sent', async () => {
    const { id } = await invite('ada@example.org');
    await hub.admin.raw('DELETE', `/invitations/${id}`);
    await sendDue();
    expect(server.mails).toEqual([]);
    expect(await stateOf()).toMatchObject({ waiting: 0, failed: 0 });
  });
});

test('TLS works from the start; a server without STARTTLS, or with an unknown certificate, gets neither mail nor password', async () => {
  await using other = await startMailServer({ isTls: true });
  const mail = { id: 'mail_1', to: 'ada@example.org', workspaceName: 'Hub', subject: 'x', text: 'x', html: 'x' };
  await other.transport().send(mail);
  expect(other.take('ada@example.org').isEncrypted).toBe(true);
  await using plain = await startMailServer({ offersTls: false });
  const unsafe = [other.transport({ caFile: null }), plain.transport(), server.transport({ host: 'nowhere.invalid' })];
  for (const transport of unsafe) {
    const error = await failureOf(transport.send(mail));
    expect(error).toBeInstanceOf(MailError);
    expect(error).toMatchObject({ isFinal: false, isOfServer: true });
  }
  expect([...other.mails, ...plain.mails]).toEqual([]);
  await server.transport({ security: 'local', caFile: null }).send(mail);
  expect(server.take('ada@example.org').isEncrypted).toBe(true);
});

test('text in a mail becomes neither markup nor another header', () => {
  const paragraphs = ['<script>"x"</script>'];
  const content = { subject: 'A\r\nBcc: eve@example.org', paragraphs, action: { label: '<b>' } };
  const { subject, html } = renderMail(content, { url: 'https://x/"', workspaceName: '<i>', baseUrl: 'https://x' });
  expect(subject).toBe('A Bcc: eve@example.org');
  expect(html).not.toMatch(/<(script|b|i)>/);
  expect(html).toContain('href="https://x/&quot;"');
});

test('a test mail says what the mail server says, and members may not send one', async () => {
  expect(await hub.admin.request('POST /test-mails', { body: { to: 'ada@example.org' } })).toEqual({ problem: null });
  expect(server.take('ada@example.org').body).toContain('to see that mail works');
  server.reject = () => 550;
  const { problem } = await hub.admin.request('POST /test-mails', { body: { to: 'ada@example.org' } });
  expect(problem).toContain('550');
  const member = await signedIn(hub);
  expect((await member.json('POST', '/test-mails', { to: 'ada@example.org' })).status).toBe(403);
});

describe('a forgotten password', () => {
  const ada = perTest(() => createUser(hub, { name: 'Ada', email: 'ada@example.org' }));

  test('is replaced with a link by mail; the response is the same for addresses without an account', async () => {
    const [known, unknown] = [await request(' ADA@example.org'), await request('eve@example.org')];
    expect([known.status, known.body]).toEqual([200, { email: 'ada@example.org' }]);
    expect([unknown.status, unknown.body]).toEqual([200, { email: 'eve@example.org' }]);
    await sendDue();
    expect(server.mails.map(({ to }) => to)).toEqual(['ada@example.org']);
    const mail = server.take('ada@example.org');
    expect(mail.body).toContain('requested from 192.0.2.1');
    const { path, token } = linkIn(mail);
    expect(path).toBe('/reset');
    expect((await redeem(hub, { token, password: 'quite another one' })).status).toBe(201);
    expect((await trySignIn(hub, { email: ada.email, password: 'quite another one' })).status).toBe(201);
    expect((await hub.admin.audit('?action=password.reset_link')).items[0]?.actor.kind).toBe('server');
    await sendDue();
    expect(server.take('ada@example.org').body).toContain('your password was changed with a reset link');
  });

  test('cannot be requested for a disabled account, nor more than five times an hour for one address', async () => {
    await hub.admin.raw('POST', `/users/${ada.id}/deactivation`);
    for (let n = 0; n < 5; n += 1) {
      hub.setClientAddress(`192.0.2.${n + 1}`);
      expect((await request('ada@example.org')).status).toBe(200);
    }
    const slowed = await request('ada@example.org');
    expect([slowed.status, slowed.headers.get('retry-after')]).toEqual([429, '3600']);
    await sendDue();
    expect(server.mails).toEqual([]);
    hub.clock.advance(HOUR_MS);
    expect((await request('ada@example.org')).status).toBe(200);
  });

  test('can be requested at most twenty times an hour from one network, and only where mail is sent', async () => {
    for (let n = 0; n < 20; n += 1) expect((await request(`user-${n}@example.net`)).status).toBe(200);
    expect((await request('ada@example.org')).status).toBe(429);
    hub.setClientAddress('198.51.100.7');
    expect((await request('ada@example.org')).status).toBe(200);
    await using without = await startTestHub();
    expect((await request('ada@example.org', without)).status).toBe(409);
    expect(await (await without.fetch('/api/v1/session')).json()).not.toHaveProperty('canReset');
    expect(await (await hub.fetch('/api/v1/session')).json()).toMatchObject({ canReset: true });
  });
});

describe('a notice', () => {
  const ada = perTest(() => signedIn(hub, { name: 'Ada' }));
  const bodyOf = async () => {
    await sendDue();
    return server.take(ada.user.email).body;
  };

  test('reports a new password and a new access token', async () => {
    await ada.call('POST', '/me/tokens', { name: 'script' });
    const token = 'you created the access token script. This was at 2026-03-01 09:30 UTC from 192.0.2.1.';
    expect(await bodyOf()).toContain(token);
    await ada.call('PUT', '/me/password', { currentPassword: ada.user.password, newPassword: 'quite another one' });
    expect(await bodyOf()).toContain('your password was changed.');
  });

  test('reports a sign-in on a new device or from a new network, but not of the first one or a known one', async () => {
    const signInWith = (userAgent: string) => trySignIn(hub, ada.user, { 'user-agent': userAgent });
    await sendDue();
    await signIn(hub, ada.user);
    await sendDue();
    expect(server.mails).toEqual([]);
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    await signInWith(firefox);
    expect(await bodyOf()).toContain('you signed in with Firefox on Linux.');
    await hub.admin.raw('POST', `/users/${ada.user.id}/sign-out`);
    // A newer version of the same browser.
    await signInWith(firefox.replaceAll('140', '141'));
    await sendDue();
    expect(server.mails).toEqual([]);
    hub.setClientAddress('198.51.100.7');
    await signInWith(firefox);
    expect(await bodyOf()).toContain('from 198.51.100.7');
  });
});

test('mentions that stay unread for 30 minutes are mailed once, without their text, to users who want that', async () => {
  const team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
  const { ada, bob } = team;
  const mailMentions = mentionDigest({ ...hub.deps, mail: hub.deps.mail as MailQueue });
  const after = async (minutes: number) => {
    hub.clock.advance(minutes * MINUTE_MS);
    await mailMentions();
    await sendDue();
    return server.mails.splice(0).map(({ to, body }) => [to, body] as const);
  };
  const settings = { mentionMail: true };
  expect(await ada.call('GET', '/me/notifications')).toMatchObject({ mentionMail: false });
  expect(await ada.call('PATCH', '/me/notifications', settings)).toMatchObject(settings);
  await team.message(bob, '@Ada the secret plan');
  await team.reply(bob, await team.message(ada, '@Bob you get no mail'), 'a reply that mentions no one');
  const read = await team.message(bob, '@Ada read in time');
  await ada.call('PUT', '/mentions/read', { itemIds: [read.id] });
  expect(await after(29)).toEqual([]);
  await team.post('messages', { text: '@Ada from a program' });
  const [[to, body] = [], ...others] = await after(1);
  expect([to, others]).toEqual([ada.user.email, []]);
  expect(body).toContain('ci in Releases, 2026-03-01 09:59 UTC\nBob Kahn in Releases, 2026-03-01 09:30 UTC');
  expect(body).not.toMatch(/secret plan|read in time/);
  // As plain text and as HTML.
  expect(body?.match(/ in Releases, /g)).toHaveLength(2 * 2);
  expect(await after(60)).toEqual([]);
  await team.message(bob, '@Ada in a Hub that is muted, then left');
  await ada.call('PUT', `/me/notifications/hubs/${team.hubId}`, { mode: 'muted' });
  expect(await after(31)).toEqual([]);
  await ada.call('PUT', `/me/notifications/hubs/${team.hubId}`, { mode: 'usual' });
  await hub.admin.raw('DELETE', `/hubs/${team.hubId}/members/${ada.user.id}`);
  expect(await after(31)).toEqual([]);
});

describe('a new e-mail address', () => {
  const ada = perTest(() => signedIn(hub, { name: 'Ada' }));
  const change = (email: string, caller = ada) => caller.json('PUT', '/me/email', { email });
  const confirm = (token: string) => postJson(hub, '/links/email-confirmation', { token });

  test('is used once the link that was sent to it is opened; the old one is notified, and its reset links end', async () => {
    const old = ada.user.email;
    const reset = (await (await hub.admin.raw('POST', `/users/${ada.user.id}/password-reset`)).json()) as IssuedLink;
    expect((await change('First@example.org')).body).toEqual({ email: old, pending: 'first@example.org' });
    expect((await change('second@example.org')).body).toEqual({ email: old, pending: 'second@example.org' });
    await sendDue();
    // The second request has replaced the first; the old address hears of both.
    expect(server.mails.map(({ to }) => to).sort()).toEqual([old, old, 'second@example.org'].sort());
    const told = server.mails.map(({ body }) => body).join();
    for (const name of ['first', 'second']) expect(told).toContain(`is about to change to ${name}@example.org.`);
    const { path, token } = linkIn(server.take('second@example.org'));
    expect(path).toBe('/email');
    expect((await redeem(hub, { token, password: 'quite another one' })).status).toBe(400);
    expect((await trySignIn(hub, { ...ada.user, email: 'second@example.org' })).status).toBe(401);
    const confirmed = await confirm(token);
    expect([confirmed.status, confirmed.body]).toEqual([200, { email: 'second@example.org', pending: null }]);
    expect(confirmed.headers.getSetCookie()).toEqual([]);
    expect((await confirm(token)).status).toBe(404);
    expect((await trySignIn(hub, { ...ada.user, email: 'second@example.org' })).status).toBe(201);
    expect((await trySignIn(hub, ada.user)).status).toBe(401);
    expect((await redeem(hub, { token: reset.link.split('#')[1] ?? '', password: 'x'.repeat(20) })).status).toBe(404);
    expect(await ada.call('GET', '/me')).toMatchObject({ email: 'second@example.org' });
    server.mails.length = 0;
    await sendDue();
    expect(server.take(old).body).toContain('your e-mail address was changed to second@example.org.');
    const details = { from: { email: old }, to: { email: 'second@example.org' } };
    const [entry] = (await hub.admin.audit('?action=user.changed')).items;
    expect(entry).toMatchObject({ actor: { id: ada.user.id }, details });
  });

  test('is one that no account has, also when it is confirmed', async () => {
    const bob = await createUser(hub, { name: 'Bob' });
    expect((await change(bob.email)).status).toBe(409);
    expect((await change('not an address')).status).toBe(400);
    await change('new@example.org');
    await sendDue();
    const { token } = linkIn(server.take('new@example.org'));
    await createUser(hub, { name: 'Carol', email: 'new@example.org' });
    expect((await confirm(token)).status).toBe(409);
  });

  test('is not taken by a thief of the session after a new password, or after an admin signed the user out', async () => {
    const newPassword = 'quite another one';
    let caller = ada;
    for (const end of [
      () => caller.call('PUT', '/me/password', { currentPassword: ada.user.password, newPassword }),
      () => hub.admin.json('POST', `/users/${ada.user.id}/sign-out`),
    ]) {
      await change('thief@example.org', caller);
      await sendDue();
      const { token } = linkIn(server.take('thief@example.org'));
      await end();
      expect((await confirm(token)).status).toBe(404);
      caller = await signIn(hub, { ...ada.user, password: newPassword });
    }
  });

  test('sends at most twenty links an hour', async () => {
    for (let n = 0; n < 20; n += 1) expect((await change(`new-${n}@example.org`)).status).toBe(200);
    expect((await change('new-20@example.org')).status).toBe(429);
  });

  test('is used at once where no mail is sent, but not where a provider links accounts by address', async () => {
    await using without = await startTestHub();
    const bob = await signedIn(without, { name: 'Bob' });
    expect((await change('bob@example.net', bob)).body).toEqual({ email: 'bob@example.net', pending: null });
    expect((await trySignIn(without, { ...bob.user, email: 'bob@example.net' })).status).toBe(201);
    await using linked = await startTestHub({ provider: startIdentityProvider().settings });
    const carol = await signedIn(linked, { name: 'Carol' });
    expect((await change('carol@example.net', carol)).status).toBe(409);
  });
});
