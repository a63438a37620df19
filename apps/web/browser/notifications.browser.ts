import { afterAll, expect, test } from 'bun:test';
import type { HubNotification, Message } from '@hub/contract';
import { teamSessions, untilInstalled } from '@hub/testkit/browser/hub-test-sessions';
import { signInAt } from '@hub/testkit/browser/steps';
import { localPush, startPushService } from '@hub/testkit/in-process/push-service';
import { teamOn } from '@hub/testkit/in-process/team';
import { startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { signIn } from '@hub/testkit/in-process/users';
import type { BrowserContext, Page, Worker } from 'playwright-core';

const service = startPushService();
afterAll(() => service[Symbol.asyncDispose]());
const { team, session, forgetProblems } = await teamSessions(
  (async () => {
    const hub = await startTestHub({ push: localPush });
    return {
      ...(await teamOn(hub, ['Ada Lovelace', 'Bob Kahn'])),
      hub,
      [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
    };
  })(),
  { isWhole: true },
);
const { hub } = team;

async function openNotified({ isAllowed = true } = {}) {
  // A session of its own, which the test may end.
  const opened = await session(await signIn(hub, team.ada.user), { isInstalled: true });
  if (isAllowed) await opened.context.grantPermissions(['notifications'], { origin: hub.url });
  await opened.context.addInitScript(countShown);
  return opened;
}

/** Counts the notifications that a page or the service worker has shown. */
function countShown(): void {
  // An empty page has no service worker.
  if (!isSecureContext) return;
  const { showNotification } = ServiceWorkerRegistration.prototype;
  const counting = globalThis as unknown as { shownCount: number };
  counting.shownCount = 0;
  ServiceWorkerRegistration.prototype.showNotification = async function (...notification) {
    await showNotification.apply(this, notification);
    counting.shownCount += 1;
  };
}

/**
 * Advances the server's clock, which ends its delay for grouping, until the page or worker has shown `wanted`
 * notifications. Asking the browser for them earlier can make Chromium drop one that it is about to show.
 */
async function untilShown(shower: Page | Worker, wanted: number): Promise<void> {
  const count = () => (globalThis as unknown as { shownCount: number }).shownCount;
  // The types of the two methods differ.
  const soFar = () => ('goto' in shower ? shower.evaluate(count) : shower.evaluate(count));
  for (let tries = 0; tries < 300 && (await soFar()) < wanted; tries += 1) {
    hub.clock.advance(1_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(await soFar()).toBe(wanted);
}

/** Returns the notifications that the browser shows now. */
const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/');
    const notifications = (await registration?.getNotifications()) ?? [];
    return notifications.map(({ title, body, data }) => `${title}: ${body} (${(data as { to: string }).to})`);
  });

/** Takes the focus from Ada's pages, as headless Chromium gives it to every page, and waits until the server knows. */
async function lookAway(...pages: Page[]): Promise<void> {
  for (const page of pages) {
    await page.evaluate(() => {
      document.hasFocus = () => false;
      window.dispatchEvent(new Event('blur'));
    });
  }
  const isOfAda = (userId: string) => userId === team.ada.user.id;
  const isAway = ({ pages: open, attending }: TestHub['deps']['live']['presence']) =>
    open.filter(isOfAda).length === pages.length && !attending.some(isOfAda);
  while (!isAway(hub.deps.live.presence)) await pages[0]?.waitForTimeout(20);
}

async function switchOn(page: Page): Promise<void> {
  await page.goto('/settings/notifications');
  await untilInstalled(page);
  await page.getByRole('checkbox', { name: /^Show notifications/ }).click();
  await page.locator('input:checked').first().waitFor();
}

/** Waits until some tab holds the lock and so is the leader, which shows the notifications. */
const untilLeader = (page: Page) =>
  page.waitForFunction(async () =>
    ((await navigator.locks.query()).held ?? []).some(({ name }) => name === 'hub.notifications'),
  );

/** Fakes the subscription of a push service, which test browsers lack. */
async function fakePushService(context: BrowserContext) {
  const own = service.browser();
  await context.addInitScript((given) => {
    const key = `fake-subscription`;
    const make = () => ({
      endpoint: given.endpoint,
      options: { applicationServerKey: null },
      toJSON: () => ({ endpoint: given.endpoint, keys: { p256dh: given.p256dh, auth: given.auth } }),
      unsubscribe: async () => {
        localStorage.removeItem(key);
        return true;
      },
    });
    PushManager.prototype.getSubscription = async () =>
      (localStorage.getItem(key) ? make() : null) as unknown as PushSubscription;
    PushManager.prototype.subscribe = async () => {
      localStorage.setItem(key, 'yes');
      return make() as unknown as PushSubscription;
    };
  }, own.subscription);
  return own;
}

/** Passes a message to the service worker as the push service would. */
async function deliver(page: Page, pushed: HubNotification): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const registration = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.deliverPushMessage', {
    origin: hub.url,
    registrationId: await registration,
    data: JSON.stringify(pushed),
  });
}

test('one of two tabs shows a mention once if neither has the focus; neither tab shows it if one has the focus', async () => {
  const { page, context } = await openNotified();
  await switchOn(page);
  const other = await context.newPage();
  await other.goto('/stream');
  await other.locator('.side').waitFor();
  await untilLeader(page);
  await lookAway(page, other);
  const message = await team.message(team.bob, 'Could you look, @Ada?');
  await untilShown(page, 1);
  expect(await shown(page)).toEqual([`Bob Kahn mentioned you in Releases: Could you look, @Ada? (/p/${message.id})`]);
});

test('permission is asked for when the switch is pressed, never at load; a test notification is shown even while the user is looking at the page', async () => {
  const { page, context } = await openNotified();
  await context.addInitScript(() => {
    const asked = Object.assign(globalThis, { asked: 0 });
    Notification.requestPermission = async () => {
      asked.asked += 1;
      return 'granted';
    };
  });
  await page.goto('/settings/notifications');
  await page.getByRole('checkbox', { name: /^Show notifications/ }).waitFor();
  expect(await page.evaluate('asked')).toBe(0);
  await switchOn(page);
  expect(await page.evaluate('asked')).toBe(1);
  await untilLeader(page);
  await page.getByRole('button', { name: 'Send test notification' }).click();
  await page.getByText('Sent to 1 open page. Browsers with notifications turned on show it.').waitFor();
  await untilShown(page, 1);
  expect(await shown(page)).toEqual([
    'Test notification from Hub: Notifications work in this browser. (/settings/notifications)',
  ]);
});

test('notifications arrive by push while the page is closed, until the user signs out', async () => {
  const { page, context } = await openNotified();
  const own = await fakePushService(context);
  await switchOn(page);
  await page.getByLabel('Even when Hub is closed').click();
  await page.waitForFunction(() => document.querySelectorAll('.settings-section input:checked').length >= 2);
  while (hub.deps.notifications.counts.subscriptions === 0) await page.waitForTimeout(20);
  await page.goto('about:blank');
  while (hub.deps.live.isAttended(team.ada.user.id)) await page.waitForTimeout(20);
  await team.message(team.bob, 'Are you there, @Ada?');
  const arrived = () => service.received.filter(({ path }) => own.endpoint.endsWith(path));
  for (let tries = 0; tries < 300 && arrived().length === 0; tries += 1) {
    hub.clock.advance(1_000);
    await page.waitForTimeout(20);
  }
  expect(arrived()[0]?.notification).toMatchObject({ kind: 'mention', body: 'Are you there, @Ada?' });

  await page.goto('/stream');
  await page.locator('.me').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('textbox', { name: 'Password' }).waitFor();
  await page.waitForFunction(() => localStorage.getItem('fake-subscription') === null);
  expect(await page.evaluate(() => localStorage.getItem('hub.notifications'))).toBeNull();
  expect(hub.deps.notifications.counts.subscriptions).toBe(0);
});

test('the subscription of a user whose session has ended does not stay for the next user', async () => {
  const caller = await signIn(hub, team.ada.user);
  const { page, context } = await session(caller, { isInstalled: true });
  await context.grantPermissions(['notifications'], { origin: hub.url });
  await fakePushService(context);
  await switchOn(page);
  await page.getByLabel('Even when Hub is closed').click();
  await page.waitForFunction(() => JSON.parse(localStorage.getItem('hub.notifications') ?? '{}').isPushed);
  await page.reload();
  await untilLeader(page);
  expect(await page.evaluate(() => localStorage.getItem('fake-subscription'))).not.toBeNull();
  await context.clearCookies();
  await page.reload();
  await signInAt(page, team.bob.user);
  await page.locator('.me', { hasText: 'Bob Kahn' }).waitFor();
  await page.waitForFunction(() => localStorage.getItem('fake-subscription') === null);
  await caller.json('DELETE', '/session');
  forgetProblems(page);
});

test('a push notification is shown, and closed at once if the user is looking at the page; a click on one leads to the post, and a choice on one answers its question', async () => {
  const { page, context } = await openNotified();
  const message = await team.message(team.bob, 'The message itself');
  await switchOn(page);
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('No service worker');
  const bodies = () =>
    worker.evaluate(async () => {
      const { registration } = self as unknown as { registration: ServiceWorkerRegistration };
      return (await registration.getNotifications()).map(({ title, body }) => `${title}: ${body}`).sort();
    });
  await worker.evaluate(countShown);
  const pushed: HubNotification = { kind: 'mention', title: 'Bob', body: 'Look', to: `/p/${message.id}`, tag: 'a' };
  await page.goto('about:blank');
  await deliver(page, pushed);
  await untilShown(worker, 1);
  expect(await bodies()).toEqual(['Bob: Look']);
  await deliver(page, { ...pushed, body: 'Look again' });
  await untilShown(worker, 2);
  expect(await bodies()).toEqual(['Bob: Look again']);

  // Headless Chromium gives this page the focus.
  await page.goto('/stream');
  await page.locator('.side').waitFor();
  await deliver(page, { ...pushed, body: 'Not needed', tag: 'b' });
  // Each is shown, since Safari ends the subscription of a worker that shows nothing; what is not needed closes at once.
  await untilShown(worker, 3);
  while ((await bodies()).includes('Bob: Not needed'));
  // Not before: to close one, the worker asks for those shown, which can make Chromium drop one that is about to appear.
  await deliver(page, { ...pushed, kind: 'test', title: 'Test', body: 'seen', tag: 'c' });
  await untilShown(worker, 4);
  expect(await bodies()).toEqual(['Bob: Look again', 'Test: seen']);

  await worker.evaluate(async () => {
    const { registration } = self as unknown as { registration: ServiceWorkerRegistration };
    const [notification] = await registration.getNotifications({ tag: 'a' });
    const pressed = Object.assign(new Event('notificationclick'), { notification, waitUntil: () => {} });
    self.dispatchEvent(pressed);
  });
  await page.waitForURL((url) => url.pathname === `/hubs/${team.hubId}`);
  expect(await bodies()).toEqual(['Test: seen']);

  // A choice on a notification answers the question.
  const question = { choices: ['yes', 'no', 'later'], expiresInSeconds: 3_600 };
  const asked = await team.bob.call<Message>('POST', `/hubs/${team.hubId}/messages`, { text: 'Deploy?', question });
  const press = () =>
    worker.evaluate(async (wanted) => {
      const { registration } = self as unknown as { registration: ServiceWorkerRegistration };
      const [notification] = await registration.getNotifications({ tag: wanted });
      const { actions = [] } = notification as unknown as { actions?: { action: string }[] };
      const [first] = actions;
      const work: Promise<unknown>[] = [];
      const pressed = { notification, action: first?.action, waitUntil: (each: Promise<unknown>) => work.push(each) };
      // Only a real press may focus a page.
      self.dispatchEvent(Object.assign(new Event('notificationclick'), pressed));
      await Promise.allSettled(work);
      return actions.map(({ action }) => action);
    }, asked.id);
  const choices = question.choices.slice(0, 2);
  await page.goto('about:blank');
  await deliver(page, { kind: 'mention', title: 'Bob', body: 'Deploy?', to: `/p/${asked.id}`, tag: asked.id, choices });
  await untilShown(worker, 5);
  expect(await press()).toEqual(['yes', 'no']);
  const answered = (await team.show<Message>(asked)).question?.answer;
  expect(answered).toMatchObject({ choice: 'yes', by: { name: 'Ada Lovelace' } });
});
