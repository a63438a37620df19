import { expect, test } from 'bun:test';
import { minuteOf, obstacleOf, pushObstacleOf, sentText, timeText } from './notification-texts.ts';

test('converts a time to minutes and back', () => {
  for (const text of ['00:00', '07:05', '23:59']) expect(timeText(minuteOf(text) ?? -1)).toBe(text);
  expect(minuteOf('22:30:00')).toBe(1_350);
  expect(['', '7:05', '24:00', 'ab:cd'].map(minuteOf)).toEqual([null, null, null, null]);
});

const good = { isSecure: true, host: 'hub.example.org', permission: 'default', isAppleDevice: false } as const;

test('explains why notifications do not work, and what to do', () => {
  expect(obstacleOf(good)).toBeNull();
  expect(obstacleOf({ ...good, isSecure: false })).toContain('https');
  expect(obstacleOf({ ...good, permission: 'denied' })).toContain('Allow them in its settings');
  expect(obstacleOf({ ...good, permission: null })).toBe('This browser can’t show notifications.');
  expect(obstacleOf({ ...good, permission: null, isAppleDevice: true })).toContain('Add to Home Screen');
  expect(pushObstacleOf({ isPushOn: false, supportsPush: true })).toContain('HUB_PUSH');
  expect(pushObstacleOf({ isPushOn: true, supportsPush: true })).toBeNull();
});

test('says how many pages and browsers a test notification was sent to, but not that all of them show it', () => {
  const shown = 'Browsers with notifications turned on show it.';
  expect(sentText({ openPages: 1, browsers: 0, problems: [] })).toBe(`Sent to 1 open page. ${shown}`);
  expect(sentText({ openPages: 2, browsers: 1, problems: [] })).toBe(
    `Sent to 2 open pages and by push to 1 browser. ${shown}`,
  );
  expect(sentText({ openPages: 0, browsers: 2, problems: [] })).toBe(`Sent by push to 2 browsers. ${shown}`);
  expect(sentText({ openPages: 0, browsers: 1, problems: ['push.example.net: 403 BadJwtToken'] })).toBe(
    'Push failed: push.example.net: 403 BadJwtToken. An admin finds the cause with hubctl doctor and in the server’s log.',
  );
  expect(sentText({ openPages: 0, browsers: 0, problems: [] })).toBe(
    'Not sent: no open page is connected to the server. Try again.',
  );
});
