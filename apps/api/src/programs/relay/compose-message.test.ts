import { describe, expect, test } from 'bun:test';
import { LIMITS } from '@hub/contract';
import { ALERTMANAGER_EXAMPLE, GRAFANA_EXAMPLE, SLACK_EXAMPLE } from '@hub/contract/relay-payloads';
import { alertmanagerParts } from './alerts.ts';
import { composeMessage, type Translate } from './compose-message.ts';
import { grafanaParts } from './grafana.ts';
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
});

describe('a payload with more than Hub reads', () => {
  const TOO_LARGE = '\n\n_Hub truncated this message: its payload is too large._';

  test('is shown up to there, and the message says so', () => {
    const attachments = Array.from({ length: 1_001 }, (_, n) => ({ text: `${n}` }));
    const all = slack({ attachments });
    expect(all).toEndWith(`\n\n> 999${TOO_LARGE}`);
    expect(slack({ attachments: attachments.slice(1) })).toEndWith('\n\n> 1000');
    expect(slack({ text: 'a', attachments: Array(1_001).fill({}) })).toBe(`a${TOO_LARGE}`);
    // 20,000 characters, but written with more than are read.
    expect(slack({ text: '&amp; '.repeat(20_000) })).toEndWith(TOO_LARGE);
  });

  test('is truncated by its length, not by what Hub reads, if it is of the usual kind', () => {
    const many = <T>(value: T): T[] => Array.from({ length: 900 }, () => value);
    const grafana = { ...GRAFANA_EXAMPLE, alerts: many(GRAFANA_EXAMPLE.alerts[0]) };
    expect(composeMessage(grafanaParts, grafana, 'Grafana')).toEndWith(NOTE);
    const field = { title: 'Branch', value: '`main`', short: true };
    const attachment = { color: 'good', title: 'Build', title_link: 'https://a.example', fields: [field, field] };
    expect(slack({ attachments: many(attachment) })).toEndWith(NOTE);
    expect(slack({ blocks: many(SLACK_EXAMPLE.blocks).flat().slice(0, 1_000) })).toEndWith(NOTE);
  });

  test('keeps the labels of links whose URL is too long', () => {
    const url = (length: number) => 'https://a.example/'.padEnd(length, 'a');
    const attachments = (length: number) => [{ title: 'Build', title_link: url(length), image_url: url(length) }];
    expect(slack({ attachments: attachments(3_000) })).toContain(`[**Build**](${url(3_000)})`);
    expect(slack({ attachments: attachments(3_001) })).toBe('> **Build**');
    const alert = (length: number) => ({ generatorURL: url(length), annotations: { runbook: url(length) } });
    const shown = composeMessage(
      alertmanagerParts,
      { alerts: [alert(3_001)], externalURL: url(3_001) },
      'Alertmanager',
    );
    expect(shown).not.toContain('](');
    expect(shown).toContain('- runbook: <https://a.example/a');
  });
});

/** As many as fit into a body. */
const many = <T>(value: T): T[] =>
  Array.from({ length: LIMITS.bodyBytes / JSON.stringify(value).length - 1 }, () => value);

describe('a hostile payload', () => {
  const text = (unit: string): string => unit.repeat(Math.floor(LIMITS.bodyBytes / unit.length));
  const empty = (length: number): object[] => Array(length).fill({});
  const lists: [name: string, translate: Translate, payload: (element: object) => object][] = [
    ['attachments', slackParts, (one) => ({ text: 'x', attachments: many(one) })],
    ['fields', slackParts, (one) => ({ text: 'x', attachments: many({ fields: Array(100).fill(one) }) })],
    ['actions', slackParts, (one) => ({ text: 'x', attachments: many({ actions: Array(100).fill(one) }) })],
    ['blocks', slackParts, (one) => ({ text: 'x', blocks: many(one) })],
    ['blocks of attachments', slackParts, (one) => ({ text: 'x', attachments: [{ blocks: many(one) }] })],
    ['rich text', slackParts, (one) => ({ text: 'x', blocks: [{ type: 'rich_text', elements: many(one) }] })],
    ['alerts', alertmanagerParts, (one) => ({ alerts: many(one) })],
    ['matches', grafanaParts, (one) => ({ title: 'x', evalMatches: many(one) })],
  ];
  test.each(lists)('has few of its %s read', (_, translate, payloadOf) => {
    let reads = 0;
    const counted = <T>(value: T): T => {
      reads += 1;
      return value;
    };
    const element = new Proxy(
      { type: 'section' },
      {
        get: (target, name) => counted(Reflect.get(target, name)),
        getOwnPropertyDescriptor: (target, name) => counted(Reflect.getOwnPropertyDescriptor(target, name)),
      },
    );
    const payload = payloadOf(element);
    reads = 0;
    composeMessage(translate, payload, 'any sender');
    expect(reads).toBeWithin(100, 250_000);
  });

  const texts: [string, string][] = [
    ['@', '@'],
    ['delimiters', '`*_~<'],
    ['open bold', ' *a'],
    ['closed bold', 'a* '],
    ['bold words', ' *a* '],
    ['nested delimiters', ' *_~a~_* '],
    ['quotes', '\n> x'],
    ['fences', '```'],
    ['nested formatting', '*_~'],
    ['links', '<https://x|'],
    ['emoji', ':a:'],
    ['escapes', '&gt;'],
    ['addresses', 'https://'],
    ['blank lines', '\n \n'],
  ];
  const section = (content: object) => ({ blocks: [{ type: 'section', ...content }] });
  const link = { type: 'link', text: text('a\n').slice(500_000), url: `https://${'&'.repeat(500_000)}` };
  const payloads: [name: string, translate: Translate, payloads: object[]][] = [
    ...texts.map(([name, unit]): [string, Translate, object[]] => [
      `texts of ${name}`,
      slackParts,
      [
        { text: text(unit) },
        { attachments: [{ fields: [{ value: text(unit) }], text: text(unit) }] },
        section({ text: { text: text(unit) } }),
      ],
    ]),
    ['empty attachments', slackParts, [{ text: 'x', attachments: empty(340_000) }]],
    [
      'JSON of empty attachments',
      slackParts,
      [{ payload: JSON.stringify({ text: 'x', attachments: empty(340_000) }) }],
    ],
    ['empty objects', slackParts, [{ x: empty(340_000) }, { x: many([[[[[[[[]]]]]]]]) }]],
    ['links over many lines', slackParts, [{ blocks: [{ type: 'rich_text', elements: [{ elements: [link] }] }] }]],
    ['long URLs', alertmanagerParts, [{ alerts: [{ generatorURL: link.url }], externalURL: link.url }]],
    ['long URLs of images', slackParts, [{ attachments: [{ text: 'x', image_url: link.url, title_link: link.url }] }]],
  ];
  test.each(payloads)('is relayed in little time: %s', (_, translate, all) => {
    for (const payload of all) {
      // Processor time: the time on a clock also depends on what else the machine does.
      const start = process.cpuUsage();
      expect(lengthOf(composeMessage(translate, payload, 'any sender'))).toBeLessThanOrEqual(MOST);
      expect(process.cpuUsage(start).user / 1_000).toBeLessThan(600);
    }
  });
});
