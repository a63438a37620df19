import { expect, test } from 'bun:test';
import { dayNames, minuteOf, timeText } from './minutes.ts';
import { sentText, whyNot, whyNotPushed } from './why-not.ts';

test('a time goes into minutes and back', () => {
  for (const text of ['00:00', '07:05', '23:59']) expect(timeText(minuteOf(text) ?? -1)).toBe(text);
  expect(minuteOf('22:30:00')).toBe(1_350);
  expect(['', '7:05', '24:00', 'ab:cd'].map(minuteOf)).toEqual([null, null, null, null]);
});

test('a week begins on Monday', () => {
  expect(dayNames().map(({ short }) => short)).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']);
});

const good = { isSecure: true, host: 'hub.example.org', permission: 'default', isPhoneOfApple: false } as const;

test('what is in the way of notices is said with the way on', () => {
  expect(whyNot(good)).toBeNull();
  expect(whyNot({ ...good, isSecure: false })).toContain('https');
  expect(whyNot({ ...good, permission: 'denied' })).toContain('Allow them in its settings');
  expect(whyNot({ ...good, permission: null })).toBe('This browser cannot show notices.');
  expect(whyNot({ ...good, permission: null, isPhoneOfApple: true })).toContain('Add to Home Screen');
  expect(whyNotPushed({ isPushOn: false, canBePushedTo: true })).toContain('HUB_PUSH');
  expect(whyNotPushed({ isPushOn: true, canBePushedTo: true })).toBeNull();
});

test('where a test went is counted, and not said to be shown by each of them', () => {
  const shown = 'It is shown in browsers where notices are on.';
  expect(sentText({ openPages: 1, browsers: 0 })).toBe(`Sent to 1 open page. ${shown}`);
  expect(sentText({ openPages: 2, browsers: 1 })).toBe(`Sent to 2 open pages and by push to 1 browser. ${shown}`);
  expect(sentText({ openPages: 0, browsers: 2 })).toBe(`Sent by push to 2 browsers. ${shown}`);
  expect(sentText({ openPages: 0, browsers: 0 })).toBe('No open page is connected to the server now. Try again.');
});
