import { describe, expect, test } from 'bun:test';
import { LIMITS } from '@hub/contract';
import { alertmanagerParts } from './alertmanager.ts';
import { composeMessage } from './compose-message.ts';
import { ALERTMANAGER_EXAMPLE } from './example-payloads.ts';
import { slackParts } from './slack.ts';

const MOST = LIMITS.messageTextCodePoints;
const NOTE = '\n\n_Hub truncated this message: it has more than 40,000 characters._';
const slack = (payload: unknown): string => composeMessage(slackParts, payload, 'Slack');
const lengthOf = (text: string): number => Array.from(text).length;

describe('a payload that is not understood', () => {
  test.each([
    [{ msg: 'Hello', n: [1] }, '{\n  "msg": "Hello",\n  "n": [\n    1\n  ]\n}'],
    [[], '[]'],
    [null, 'null'],
    ['x', '"x"'],
    [{ text: ' ' }, '{\n  "text": " "\n}'],
  ])('is shown as JSON: %j', (payload, json) => {
    expect(slack(payload)).toBe(`**Unknown Slack payload**\n\n\`\`\`json\n${json}\n\`\`\``);
  });

  test('cannot end its code block', () => {
    expect(slack({ a: '```\n@Ada' })).toEndWith('````json\n{\n  "a": "```\\n@Ada"\n}\n````');
  });

  test('is truncated inside of its code block', () => {
    const shown = slack({ list: Array.from({ length: 9_000 }, (_, n) => n) });
    expect(lengthOf(shown)).toBeLessThanOrEqual(MOST);
    expect(shown).toEndWith(`,\n\`\`\`${NOTE}`);
  });

  test('is shown to a limited depth', () => {
    const nested = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as unknown;
    expect(slack(nested)).toContain('"…"');
    expect(slack({ a: nested }).length).toBeLessThan(1_000);
  });
});

describe('a message over the limit', () => {
  test('ends with the last line that fits, and says so', () => {
    const shown = slack({ text: Array.from({ length: 10_000 }, (_, n) => `line ${n}`).join('\n') });
    expect(shown).toEndWith(NOTE);
    expect(lengthOf(shown)).toBeWithin(MOST - 20, MOST + 1);
    expect(shown.slice(0, -NOTE.length)).toMatch(/\nline \d{4}$/);
  });

  test('is complete if it fits, counted in code points', () => {
    const text = `${'👍'.repeat(900)}\n`.repeat(40).trimEnd();
    expect(slack({ text })).toBe(text);
  });

  test('ends with whole alerts or lines of them', () => {
    const [alert] = ALERTMANAGER_EXAMPLE.alerts;
    const payload = { ...ALERTMANAGER_EXAMPLE, alerts: Array.from({ length: 400 }, () => alert) };
    const shown = composeMessage(alertmanagerParts, payload, 'Alertmanager');
    expect(shown).toStartWith('**🔥 HighLatency: 400 firing**');
    expect(shown).toEndWith(NOTE);
    expect(lengthOf(shown)).toBeWithin(MOST - 400, MOST + 1);
  });

  test('splits a line that is very long, without losing any of it', () => {
    const text = 'word '.repeat(7_000).trim();
    expect(slack({ text }).split('\n').length).toBeGreaterThan(10);
    expect(slack({ text }).replaceAll('\n', ' ').replaceAll('  ', ' ')).toBe(text);
  });

  test('closes a code block in a quote', () => {
    const text = `\`\`\`${'x\n'.repeat(30_000)}\`\`\``;
    expect(slack({ attachments: [{ text }] })).toEndWith(`> x\n> \`\`\`${NOTE}`);
  });

  const hostile: [string, string][] = [
    ['@', '@'],
    ['delimiters', '`*_~<'],
    ['open bold', ' *a'],
    ['closed bold', 'a* '],
    ['quotes', '\n> x'],
    ['fences', '```'],
    ['nested formatting', '*_~'],
    ['links', '<https://x|'],
    ['emoji', ':a:'],
    ['escapes', '&gt;'],
    ['addresses', 'https://'],
    ['blank lines', '\n \n'],
  ];
  for (const [name, unit] of hostile) {
    test(`is built in little time from 1 MiB of ${name}`, () => {
      const text = unit.repeat(Math.floor(LIMITS.bodyBytes / unit.length));
      // Processor time: the time on a clock also depends on what else the machine does.
      const start = process.cpuUsage();
      const all = [
        { text },
        { attachments: [{ fields: [{ value: text }], text }] },
        { blocks: [{ type: 'section', text: { text } }] },
      ];
      for (const payload of all) expect(lengthOf(slack(payload))).toBeLessThanOrEqual(MOST);
      expect(process.cpuUsage(start).user / 1_000).toBeLessThan(5_000);
    });
  }
});
