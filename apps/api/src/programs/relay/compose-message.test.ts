import { describe, expect, test } from 'bun:test';
import { LIMITS } from '@hub/contract';
import { decodeEntities } from '@hub/contract/blocks/html-entities';
import { withoutEscapes } from '@hub/contract/markdown/without-escapes';
import { ALERTMANAGER_EXAMPLE, GRAFANA_EXAMPLE, SLACK_EXAMPLE } from '@hub/contract/relay-payloads';
import fc from 'fast-check';
import { findMentions } from '../../workspace/items/mentions.ts';
import { alertmanagerParts, grafanaParts } from './alerts.ts';
import { composeMessage, type Translate } from './relay.routes.ts';
import { slackParts } from './slack.ts';

const MOST = LIMITS.messageTextCodePoints;
const NOTE = '\n\n_Hub truncated this message: it has more than 40,000 characters._';
const slack = (payload: unknown): string => composeMessage(slackParts, payload, 'Slack');
const lengthOf = (text: string): number => Array.from(text).length;

test('a payload that is not understood is truncated inside of its code block, wherever its lines end', () => {
  for (let width = 0; width < 12; width += 1) {
    const shown = slack({ list: ['x'.repeat(width), ...Array.from({ length: 9_000 }, (_, n) => n)] });
    expect(lengthOf(shown)).toBeLessThanOrEqual(MOST);
    expect(shown).toEndWith(`,\n\`\`\`${NOTE}`);
  }
});

test('a payload with more than Hub reads is shown up to there, and the message says so', () => {
  const note = '\n\n_Hub truncated this message: its payload is too large._';
  const attachments = Array.from({ length: 1_001 }, (_, n) => ({ text: `${n}` }));
  expect(slack({ attachments })).toEndWith(`\n\n> 999${note}`);
  expect(slack({ attachments: attachments.slice(1) })).toEndWith('\n\n> 1000');
  expect(slack({ text: 'a', attachments: Array(1_001).fill({}) })).toBe(`a${note}`);
  // 20,000 characters, but written with more than are read.
  expect(slack({ text: '&amp; '.repeat(20_000) })).toEndWith(note);
});

/** As many as fit into a body. */
const many = <T>(value: T): T[] =>
  Array.from({ length: LIMITS.bodyBytes / JSON.stringify(value).length - 1 }, () => value);

describe('a hostile payload', () => {
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
});

const USERS = [{ id: 'per_1', name: 'Ada Lovelace' }];
const EVIL = 'https://evil.example';

const SIGNS = [
  ...'* _ ~ ` `` ``` ~~~ [ ] ( ) ]( ! < > | --- : \\ & ; &lt; &#64; &amp; @Ada ＠Ada a é 1 👍 &#64976;'.split(' '),
  ...'</a> <!-- --> <script> <details> [!NOTE] <!here> <@U1|Ada> <!x|@Ada> <#C|@Ada> <mailto:x@y|@Ada>'.split(' '),
  ...[`](${EVIL})`, `[x](${EVIL})`, `<a href="${EVIL}">`, `<img src=${EVIL}>`, `[x]: ${EVIL}`, `<${EVIL}/@Ada>`],
  ...[
    '\n',
    '\n\n',
    '    ',
    '# ',
    '- ',
    '1. ',
    '> ',
    '- [ ] ',
    '| - |',
    '@Ada Lovelace',
    '＠Ada Lovelace',
    ' @Ada ',
    ' ',
  ],
  ...['\0', '\ud800', '\ufdd0', '\ufdd1', '\ufdd2', '\u2028', '\r', '\u001b[31m', '<\u001b[0ma href=', '\u009b'],
  ...['\u001b\u001b[0m', '&\u001b[0m#64;Ada'],
];
/** In a field of Slack, `<…|…>` is a link, so these are only for the other senders. */
const hostile = fc.array(fc.constantFrom(...SIGNS), { maxLength: 14 }).map((parts) => parts.join(''));

/** Returns a payload in which all texts are replaced, except those that decide how they are read, and URLs. */
function withTexts(payload: unknown, next: () => string): unknown {
  return JSON.parse(JSON.stringify(payload), (name, value) =>
    typeof value !== 'string' || ['type', 'status'].includes(name) || value.startsWith('https:') ? value : next(),
  );
}

/** Returns the links in HTML, with their targets and texts. Links that show their target are left out. */
function disguisedLinks(html: string): string[] {
  const links = [...html.matchAll(/<a href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)].map(([, href = '', inner = '']) => ({
    href: decodeEntities(href),
    text: decodeEntities(inner.replace(/<[^>]*>/g, '')),
  }));
  // An address that is shown has no `%40` where it was written with `@`.
  return links
    .filter(({ href, text }) => encodeURI(decodeURI(text)) !== encodeURI(decodeURI(href)))
    .map(({ href }) => href);
}

const PARTS = ['text', 'link', 'user', 'emoji'].map((type) => ({ type, text: 'x', url: 'x', name: 'x', user_id: 'x' }));
const styled = (style: object) => ({ type: 'text', text: 'x', style });
const section = { type: 'rich_text_section', elements: [...PARTS, styled({ code: true }), styled({ bold: true })] };
const RICH_TEXT = {
  type: 'rich_text',
  elements: [
    section,
    { type: 'rich_text_list', elements: [section] },
    { type: 'rich_text_preformatted', elements: PARTS },
    { type: 'rich_text_quote', elements: PARTS },
  ],
};
const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'x']));
const ATTACHMENT = texts('pretext', 'color', 'author_name', 'title', 'text', 'footer');
/** Everything that has text. */
const SLACK = {
  ...SLACK_EXAMPLE,
  blocks: [...SLACK_EXAMPLE.blocks, RICH_TEXT, { type: 'strange' }],
  attachments: [{ ...ATTACHMENT, fields: [texts('title', 'value')] }, { fallback: 'x' }],
};

const SENDERS: [name: string, translate: Translate, payload: object][] = [
  ['Alertmanager', alertmanagerParts, ALERTMANAGER_EXAMPLE],
  ['Grafana', grafanaParts, { ...GRAFANA_EXAMPLE, state: 'x', message: 'x' }],
  ['Slack', slackParts, SLACK],
];

for (const [name, translate, payload] of SENDERS) {
  test(`text from ${name} mentions no one, and adds no link, image or HTML`, () => {
    const own = new Set(
      JSON.stringify(payload)
        .match(/https:\/\/hub\.example\.org[^"|>]*/g)
        ?.map((url) => decodeEntities(url)),
    );
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 8 }), (texts) => {
        let index = 0;
        const sent = withTexts(payload, () => texts[index++ % texts.length] ?? '');
        const text = composeMessage(translate, sent, name);
        expect(text.isWellFormed() && !text.includes('\0')).toBe(true);
        expect([...findMentions([text], USERS)]).toEqual([]);
        const html = Bun.markdown.html(withoutEscapes(text), { tables: true, strikethrough: true, tasklists: true });
        expect(html).not.toMatch(/<(?:img|table|input|script|details|h[1245])\b|<!--/);
        // Slack itself reads links in its texts.
        const isAllowed = (href: string) =>
          own.has(href) || (name === 'Slack' && /^(?:mailto:|https:\/\/evil)/.test(href));
        expect(disguisedLinks(html).filter((href) => !isAllowed(href))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
}
