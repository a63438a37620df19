import { describe, expect, test } from 'bun:test';
import { LIMITS } from '@hub/contract';
import { decodeEntities } from '@hub/contract/blocks/html-entities';
import { withoutEscapes } from '@hub/contract/markdown/without-escapes';
import { ALERTMANAGER_EXAMPLE, GRAFANA_EXAMPLE, SLACK_EXAMPLE } from '@hub/contract/relay-payloads';
import fc from 'fast-check';
import { findMentions } from '../../workspace/items/mentions.ts';
import { alertmanagerParts, grafanaParts } from './alerts.ts';
import { Payload } from './payload.ts';
import { composeMessage, type Translate } from './relay.routes.ts';
import { slackParts } from './slack.ts';
import { mrkdwnMarkdown } from './slack-mrkdwn.ts';

const read = (payload: unknown): string =>
  [...slackParts(Payload.of(payload))].filter((part) => part !== '').join('\n\n');
const block = (content: object): string => read({ blocks: [content] });
const plain = (text: string) => ({ type: 'plain_text', text });

describe('mrkdwn', () => {
  test.each([
    ['bold, italics and strikethrough', '*a* _b_ ~c~', '**a** _b_ ~~c~~'],
    ['delimiters within words', 'snake_case_name 2*3*4', 'snake_case_name 2\\*3\\*4'],
    ['delimiters next to spaces', '* a * b', '\\* a \\* b'],
    ['delimiters without a partner', '*a _b* c', '**a \\_b** c'],
    ['bold that ends before punctuation', '(*a*), *b*.', '(**a**), **b**.'],
    ['inline code, in which nothing is formatted', '`*a* @Ada &lt;b&gt;`', '`*a* @Ada <b>`'],
    ['a link with a label', '<https://a.example/?x=1&amp;y=2|A &amp; B>', '[A & B](https://a.example/?x=1\\&y=2)'],
    ['addresses with @', 'https://a.example/@b a@b.example', '<https://a.example/%40b> a@b.example'],
    ['a link with @', '<https://a.example/@b|@b>', '[&#64;b](https://a.example/%40b)'],
    ['a link in bold', '*<https://a.example|A>*', '[**A**](https://a.example)'],
    ['a link with another scheme, which loses its target', '<javascript:alert(1)|A>', 'A'],
    ['mentions, which are only text', '<@U012AB3CD> <@U1|ada> <!subteam^S1|@ops>', '&#64;U012AB3CD &#64;ada &#64;ops'],
    ['group mentions', '<!here> <!channel|channel>', '&#64;here &#64;channel'],
    ['escaped characters', 'a &lt;b&gt; &amp;amp; &amp;lt; &quot;', 'a \\<b> \\&amp; \\&lt; \\&quot;'],
    ['a tag that its sender did not escape', 'a <b> c', 'a \\<b> c'],
    ['underscores around emoji and times', '_a :x_y: b_ 10:30:00 a:b_c', '_a :x_y: b_ 10:30:00 a:b_c'],
    ['addresses that end before a mention', '“https://a.example/b”，@c', '“<https://a.example/b>”，&#64;c'],
    ['colons that are no emoji and would begin a table', 'a\n:---:\nb', 'a\n\\:---:\nb'],
    ['lines, with at most one blank line in a row', 'a\nb\n\n\n\nc\r\nd', 'a\nb\n\nc\nd'],
    ['a quote to the end', 'a\n&gt;&gt;&gt;b\n\nc', 'a\n\n> b\n>\n> c'],
    ['a code block', 'a ```\nx <https://a.example|A>\n``` b', 'a\n\n```\nx A\n```\n\nb'],
    ['a code block without an end', '```a', '&#96;&#96;&#96;a'],
    ['Markdown, shown as it is', '# a\n- [x](https://a.example)', '\\# a\n\\- \\[x\\]&#40;<https://a.example>)'],
  ])('%s: %j', (_, text, markdown) => expect(mrkdwnMarkdown(text)).toBe(markdown));

  test('is not read in a message with "mrkdwn": false', () => {
    expect(read({ text: '*a* &lt;b\n_c_', mrkdwn: false })).toBe('\\*a\\* \\<b\n\\_c\\_');
  });
});

describe('Block Kit', () => {
  test('shows the example', () => {
    expect(read(SLACK_EXAMPLE)).toBe(
      [
        '### Deploy finished :tada:',
        '**shop** 4.17.3 is live on [eu-1](https://hub.example.org/shop?region=eu\\&tier=1).\n' +
          '_Took 42 s_, ~~two~~ no retries <3',
        '- **Branch:** `main`\n- **By:** &#64;ada',
        '---',
        'Pipeline 8812, &#64;here',
        '[Open pipeline](https://hub.example.org/pipelines/8812)',
      ].join('\n\n'),
    );
  });

  test('shows plain text as it is, links only to safe URLs, and of actions the links, which work outside of Slack', () => {
    expect(block({ type: 'section', text: plain('*a*\n&lt;b') })).toBe('\\*a\\*\n\\<b');
    const image = (image_url: string) => block({ type: 'image', image_url, alt_text: 'b' });
    expect(image('http://a.example/b.png')).toBe('[b](http://a.example/b.png)');
    expect(image('data:image/png,x')).toBe('b');
    const button = (url?: string) => ({ type: 'button', text: plain('Open'), url, value: '1' });
    const elements = [button(), button('https://a.example/1'), button('https://a.example/2')];
    expect(block({ type: 'actions', elements })).toBe('[Open](https://a.example/1) · [Open](https://a.example/2)');
  });

  test('shows rich text', () => {
    const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });
    const text = (written: string, style = {}) => ({ type: 'text', text: written, style });
    const link = { type: 'link', url: 'https://a.example', text: 'A', style: { strike: true } };
    const date = { type: 'date', timestamp: 1392734382, format: '{date}', fallback: ' 18 February ' };
    const elements = [
      section(
        ...[text('Hello '), text('bold\nline', { bold: true, italic: true }), text(' '), link, text(' ')],
        ...[text('x_*', { code: true }), text(' *_ '), { type: 'user', user_id: 'U1' }],
        ...[{ type: 'emoji', name: 'tada' }, { type: 'broadcast', range: 'here' }, text(' ')],
        ...[{ type: 'usergroup', usergroup_id: 'S1' }, { type: 'channel', channel_id: 'C1' }, date],
        { type: 'color', value: '#F405B3' },
      ),
      { type: 'rich_text_list', style: 'bullet', elements: [section(text('one')), section(text('# two'))] },
      { type: 'rich_text_list', style: 'ordered', indent: 1, elements: [section(text('three'))] },
      { type: 'rich_text_preformatted', elements: [text('```\n@Ada')] },
      { type: 'rich_text_quote', elements: [text('q\nr')] },
    ];
    expect(block({ type: 'rich_text', elements })).toBe(
      [
        'Hello **_bold_**\n**_line_** [~~A~~](https://a.example) `x_*` \\*\\_ &#64;U1:tada:&#64;here &#64;S1#C1 18 February #F405B3',
        '- one\n- \\# two\n   1. three',
        '````\n```\n@Ada\n````',
        '> q\n> r',
      ].join('\n\n'),
    );
  });
});

test('attachments are quotes with all their parts', () => {
  const values = { Branch: '`main`', '': 'a\nb', Passed: true, Flaky: false, Failed: 0, Skipped: null };
  const attachment = {
    ...{ pretext: 'before *it*', color: 'danger', author_name: 'ci', author_link: 'https://a.example/ci' },
    ...{ title: 'Build *42*', title_link: 'https://a.example/42', text: '*failed*\n```x```' },
    fields: Object.entries(values).map(([title, value]) => ({ title, value, short: true })),
    image_url: 'https://a.example/i.png',
    actions: [{ type: 'button', text: 'Retry', url: 'https://a.example/retry' }],
    ...{ footer: 'Pipeline &amp; co', fallback: 'unused' },
  };
  expect(read({ text: 'above', attachments: [attachment] })).toBe(
    [
      'above',
      'before **it**',
      [
        '> 🔴 [ci](https://a.example/ci)',
        '> [**Build \\*42\\***](https://a.example/42)',
        '> **failed**',
        '> ```\n> x\n> ```',
        '> - **Branch:** `main`\n> - a b\n> - **Passed:** true\n> - **Flaky:** false\n> - **Failed:** 0\n> - **Skipped:**',
        '> ![Build \\*42\\*](https://a.example/i.png)',
        '> [Retry](https://a.example/retry)',
        '> Pipeline & co',
      ].join('\n>\n'),
    ].join('\n\n'),
  );
});

test('attachments begin with a dot of their color', () => {
  const dots = ['warning', '#2eb886', '#E01E5A', '#439FE0'].map((color) =>
    read({ attachments: [{ color, text: 'a' }] }),
  );
  expect(dots).toEqual(['> 🟡 a', '> 🟢 a', '> 🔴 a', '> 🔵 a']);
});

const joined = (parts: Iterable<string>): string => [...parts].filter((part) => part !== '').join('\n\n');
const alertmanager = (payload: unknown): string => joined(alertmanagerParts(Payload.of(payload)));
const grafana = (payload: unknown): string => joined(grafanaParts(Payload.of(payload)));

describe('Alertmanager', () => {
  test('shows the example: counts, shared labels and annotations, then each alert with its own', () => {
    const source = '[Source](https://hub.example.org/prometheus/graph?g0.expr=latency\\_p99+%3E+1\\&g0.tab=1)';
    expect(alertmanager(ALERTMANAGER_EXAMPLE)).toBe(
      [
        '**🔥 HighLatency: 1 firing, 1 resolved**',
        'cluster: eu-1 · severity: page',
        `🔥 **Firing** since 2026-03-01 09:30 UTC · ${source}\ninstance: api-2:9100\napi-2 answers in 1.9 s (p99)`,
        `✅ **Resolved** at 2026-03-01 09:41 UTC · ${source}\ninstance: api-1:9100\napi-1 answers in 0.2 s (p99)`,
        '[runbook](https://hub.example.org/runbooks/high-latency) · [Alertmanager](https://hub.example.org/alertmanager)',
      ].join('\n\n'),
    );
  });

  test('shows firing alerts first, and only the counts that are not zero', () => {
    const [firing, resolved] = ALERTMANAGER_EXAMPLE.alerts;
    const both = alertmanager({ ...ALERTMANAGER_EXAMPLE, alerts: [resolved, firing] });
    expect(both.indexOf('**Firing**')).toBeLessThan(both.indexOf('**Resolved**'));
    expect(alertmanager({ ...ALERTMANAGER_EXAMPLE, alerts: [firing] })).toStartWith('**🔥 HighLatency: 1 firing**');
    const allResolved = alertmanager({ ...ALERTMANAGER_EXAMPLE, alerts: [resolved, resolved] });
    expect(allResolved).toStartWith('**✅ HighLatency: 2 resolved**');
  });

  test('leaves out what is missing or has another form', () => {
    for (const alert of [
      ...[{ startsAt: '0001-01-01T00:00:00Z' }, { startsAt: 'yesterday' }, { generatorURL: 'javascript:alert(1)' }],
      ...[{ labels: 'x', annotations: [1], endsAt: {} }, { labels: { a: null, b: {}, c: ' ' } }],
    ]) {
      const text = alertmanager({ receiver: 'hub', alerts: [alert, 'x', null] });
      expect([alert, text]).toEqual([alert, '**🔥 hub: 1 firing**\n\n🔥 **Firing**']);
    }
  });
});

test('Grafana shows the example: its title, values and links, without the default message', () => {
  const base = 'https://hub.example.org/grafana';
  const links = [
    `[Rule](${base}/alerting/grafana/bd1f/view?orgId=1)`,
    `[Dashboard](${base}/d/9WWxhIFWk?orgId=1)`,
    `[Panel](${base}/d/9WWxhIFWk?orgId=1\\&viewPanel=4)`,
    `[Silence](${base}/alerting/silence/new?matcher=host%3Ddb-1)`,
  ];
  expect(grafana(GRAFANA_EXAMPLE)).toBe(
    [
      '**🔥 \\[FIRING:1\\] DiskAlmostFull Storage (db-1)**',
      'grafana_folder: Storage · host: db-1',
      'The disk of db-1 is 91 % full',
      `🔥 **Firing** since 2026-03-01 09:30 UTC · ${links.join(' · ')}\nB: 91.4 · C: 1\n` +
        'Free some space, or grow the volume.\nIt grew by 4 % since yesterday.',
      `[Grafana](${base}/)`,
    ].join('\n\n'),
  );
});

test('a payload without content has no parts', () => {
  for (const payload of [
    ...[null, 1, 'x', [], {}, { text: ' ' }, { text: {} }, { blocks: 'x' }, { attachments: [null, {}] }],
    ...[{ alerts: [] }, { alerts: {} }, { alerts: ['x'] }, { state: 'ok' }],
  ]) {
    const parts = [read, alertmanager, grafana].map((shown) => shown(payload));
    expect([payload, ...parts]).toEqual([payload, '', '', '']);
  }
});

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
test.each(lists)('a hostile payload has few of its %s read', (_, translate, payloadOf) => {
  let reads = 0;
  const counted = <T>(value: T): T => {
    reads += 1;
    return value;
  };
  const reading: ProxyHandler<object> = {
    get: (target, name) => counted(Reflect.get(target, name)),
    getOwnPropertyDescriptor: (target, name) => counted(Reflect.getOwnPropertyDescriptor(target, name)),
  };
  const payload = payloadOf(new Proxy({ type: 'section' }, reading));
  reads = 0;
  composeMessage(translate, payload, 'any sender');
  expect(reads).toBeWithin(100, 250_000);
});

const USERS = [{ id: 'per_1', name: 'Ada Lovelace' }];
const EVIL = 'https://evil.example';

const SIGNS = [
  ...'* _ ~ ` `` ``` ~~~ [ ] ( ) ]( ! < > | --- : \\ & ; &lt; &#64; &amp; @Ada ＠Ada a é 1 👍 &#64976;'.split(' '),
  ...'</a> <!-- --> <script> <details> [!NOTE] <!here> <@U1|Ada> <!x|@Ada> <#C|@Ada> <mailto:x@y|@Ada>'.split(' '),
  ...[`](${EVIL})`, `[x](${EVIL})`, `<a href="${EVIL}">`, `<img src=${EVIL}>`, `[x]: ${EVIL}`, `<${EVIL}/@Ada>`],
  ...['\n', '\n\n', '    ', '# ', '- ', '1. ', '> ', '- [ ] ', '| - |', ' '],
  ...['@Ada Lovelace', '＠Ada Lovelace', ' @Ada '],
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
const list = { type: 'rich_text_list', elements: [section] };
const others = ['preformatted', 'quote'].map((name) => ({ type: `rich_text_${name}`, elements: PARTS }));
const RICH_TEXT = { type: 'rich_text', elements: [section, list, ...others] };
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
    const urls = JSON.stringify(payload).match(/https:\/\/hub\.example\.org[^"|>]*/g) ?? [];
    const own = new Set(urls.map((url) => decodeEntities(url)));
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
