import { expect, test } from 'bun:test';
import { decodeEntities } from '@hub/contract/blocks/html-entities';
import { withoutEscapes } from '@hub/contract/markdown/without-escapes';
import { ALERTMANAGER_EXAMPLE, GRAFANA_EXAMPLE, SLACK_EXAMPLE } from '@hub/contract/relay-payloads';
import fc from 'fast-check';
import { findMentions } from '../../workspace/items/find-mentions.ts';
import { alertmanagerParts } from './alerts.ts';
import { composeMessage, type Translate } from './compose-message.ts';
import { grafanaParts } from './grafana.ts';
import { slackParts } from './slack.ts';

const USERS = [{ id: 'per_1', name: 'Ada Lovelace' }];
const EVIL = 'https://evil.example';

const SIGNS = [
  ...[
    '*',
    '_',
    '~',
    '`',
    '``',
    '```',
    '~~~',
    '[',
    ']',
    '(',
    ')',
    '](',
    `](${EVIL})`,
    `[x](${EVIL})`,
    '!',
    '<',
    '>',
    '|',
  ],
  ...[
    '\n',
    '\n\n',
    '    ',
    '# ',
    '- ',
    '1. ',
    '> ',
    '- [ ] ',
    '---',
    '| - |',
    ':',
    '\\',
    '&',
    ';',
    '&lt;',
    '&#64;',
    '&amp;',
  ],
  ...[
    '@Ada',
    '@Ada Lovelace',
    '＠Ada Lovelace',
    ' @Ada ',
    'a',
    'é',
    '1',
    ' ',
    '👍',
    '\0',
    '\ud800',
    '\ufdd0',
    '\ufdd1',
    '\ufdd2',
    '&#64976;',
  ],
  ...[
    `<a href="${EVIL}">`,
    `<img src=${EVIL}>`,
    '</a>',
    '<!--',
    '-->',
    '<script>',
    '<details>',
    `[x]: ${EVIL}`,
    '\u2028',
  ],
  ...[
    '\r',
    '\u001b[31m',
    '<\u001b[0ma href=',
    '\u001b\u001b[0m',
    '\u009b',
    '&\u001b[0m#64;Ada',
    '[!NOTE]',
    '<!here>',
    '<@U1|Ada>',
    '<!x|@Ada>',
    '<#C|@Ada>',
    '<mailto:x@y|@Ada>',
    `<${EVIL}/@Ada>`,
  ],
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

const RICH_TEXT = ['text', 'link', 'user', 'emoji'].map((type) => ({
  type,
  text: 'x',
  url: 'x',
  name: 'x',
  user_id: 'x',
}));
/** Everything that has text. */
const SLACK = {
  ...SLACK_EXAMPLE,
  blocks: [
    ...SLACK_EXAMPLE.blocks,
    {
      type: 'rich_text',
      elements: [
        { type: 'rich_text_section', elements: [...RICH_TEXT, { type: 'text', text: 'x', style: { code: true } }] },
        { type: 'rich_text_section', elements: [{ type: 'text', text: 'x', style: { bold: true, italic: true } }] },
        { type: 'rich_text_list', elements: [{ type: 'rich_text_section', elements: RICH_TEXT }] },
        { type: 'rich_text_preformatted', elements: RICH_TEXT },
        { type: 'rich_text_quote', elements: RICH_TEXT },
      ],
    },
    { type: 'strange' },
  ],
  attachments: [
    {
      pretext: 'x',
      color: 'x',
      author_name: 'x',
      title: 'x',
      text: 'x',
      fields: [{ title: 'x', value: 'x' }],
      footer: 'x',
    },
    { fallback: 'x' },
  ],
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
      { numRuns: 1_500 },
    );
  });
}

test('text from Alertmanager is shown as it is, without white space at the ends of lines', () => {
  const isKept = (sign: string) => sign.isWellFormed() && !/[\p{Cc}\ufdd0-\ufdd2]/u.test(sign.trim());
  const word = fc.constantFrom(...SIGNS.filter((sign) => isKept(sign) && !sign.includes('://')));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 10 }), (words) => {
      const summary = words.join('');
      const text = composeMessage(alertmanagerParts, { alerts: [{ annotations: { summary } }] }, 'Alertmanager');
      const shown = decodeEntities(
        Bun.markdown.html(text, { tables: true, strikethrough: true }).replace(/<[^>]*>/g, ''),
      );
      const readable = (written: string) => written.replace(/\s+/g, '');
      expect(readable(shown)).toBe(readable(`🔥 Alerts: 1 firing 🔥 Firing ${summary}`));
    }),
    { numRuns: 1_500 },
  );
});
