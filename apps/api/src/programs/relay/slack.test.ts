import { describe, expect, test } from 'bun:test';
import { SLACK_EXAMPLE } from '@hub/contract/relay-payloads';
import { Payload } from './payload.ts';
import { slackParts } from './slack.ts';
import { mrkdwnMarkdown } from './slack-mrkdwn.ts';

const read = (payload: unknown): string =>
  [...slackParts(Payload.of(payload))].filter((part) => part !== '').join('\n\n');
const block = (content: object): string => read({ blocks: [content] });
const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });

describe('mrkdwn', () => {
  const cases: [name: string, mrkdwn: string, markdown: string][] = [
    ['bold, italics and strikethrough', '*a* _b_ ~c~', '**a** _b_ ~~c~~'],
    ['nested formatting', '*a _b_ c*', '**a _b_ c**'],
    ['delimiters within words', 'snake_case_name 2*3*4', 'snake_case_name 2\\*3\\*4'],
    ['delimiters next to spaces', '* a * b', '\\* a \\* b'],
    ['delimiters without a partner', '*a _b* c', '**a \\_b** c'],
    ['bold that ends before punctuation', '(*a*), *b*.', '(**a**), **b**.'],
    ['double asterisks, as in Markdown', '**a**', '**a**'],
    ['inline code, in which nothing is formatted', '`*a* @Ada &lt;b&gt;`', '`*a* @Ada <b>`'],
    ['a link with a label', '<https://a.example/?x=1&amp;y=2|A &amp; B>', '[A & B](https://a.example/?x=1\\&y=2)'],
    ['a link without a label', '<https://a.example/b>', '<https://a.example/b>'],
    ['addresses with @', 'https://a.example/@b a@b.example', '<https://a.example/%40b> a@b.example'],
    ['a link with @', '<https://a.example/@b|@b>', '[&#64;b](https://a.example/%40b)'],
    ['a link in bold', '*<https://a.example|A>*', '[**A**](https://a.example)'],
    ['a mail address', '<mailto:ada@example.org|Ada>', '[Ada](mailto:ada@example.org)'],
    ['a link with another scheme, which loses its target', '<javascript:alert(1)|A>', 'A'],
    ['mentions, which are only text', '<@U012AB3CD> <@U1|ada> <!subteam^S1|@ops>', '&#64;U012AB3CD &#64;ada &#64;ops'],
    ['group mentions', '<!here> <!channel|channel>', '&#64;here &#64;channel'],
    ['channels', '<#C012AB3CD> <#C1|general>', '#C012AB3CD #general'],
    ['dates', '<!date^1392734382^{date_num}|18 February>', '18 February'],
    ['escaped characters', 'a &lt;b&gt; &amp;amp; &quot;', 'a \\<b> \\&amp; \\&quot;'],
    ['a tag that its sender did not escape', 'a <b> c', 'a \\<b> c'],
    ['emoji', ':tada: :+1: :-1: 10:30:00', ':tada: :+1: :-1: 10:30:00'],
    [
      'emoji with underscores',
      ':white_check_mark::+1: _:e-mail:_ *:a_b: c*',
      ':white_check_mark::+1: _:e-mail:_ **:a_b: c**',
    ],
    ['underscores around emoji and times', '_a :x_y: b_ 10:30:00 a:b_c', '_a :x_y: b_ 10:30:00 a:b_c'],
    ['addresses that end before a mention', '“https://a.example/b”，@c', '“<https://a.example/b>”，&#64;c'],
    ['addresses with a colon', 'https://a.example/b:c_d:e/@f', '<https://a.example/b:c_d:e/%40f>'],
    ['colons that are no emoji and would begin a table', 'a\n:---:\nb', 'a\n\\:---:\nb'],
    ['lines, with at most one blank line in a row', 'a\nb\n\n\n\nc\r\nd', 'a\nb\n\nc\nd'],
    ['a quote', 'a\n&gt; *b*\n> c\nd', 'a\n\n> **b**\n> c\n\nd'],
    ['a quote to the end', 'a\n&gt;&gt;&gt;b\n\nc', 'a\n\n> b\n>\n> c'],
    ['a code block', 'a ```\nx <https://a.example|A>\n``` b', 'a\n\n```\nx A\n```\n\nb'],
    ['a code block without an end', '```a', '&#96;&#96;&#96;a'],
    [
      'Markdown, which Slack shows as it is',
      '# a\n- [x](https://a.example)',
      '\\# a\n\\- \\[x\\]&#40;<https://a.example>)',
    ],
  ];
  for (const [name, text, markdown] of cases) {
    test(`${name}: ${JSON.stringify(text)}`, () => {
      expect(mrkdwnMarkdown(text)).toBe(markdown);
    });
  }

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

  const cases: [name: string, block: object, markdown: string][] = [
    ['a header with a closing #', { type: 'header', text: plain('a *b* #') }, '### a \\*b\\* \\#'],
    ['a section of plain text', { type: 'section', text: plain('*a*\n&lt;b') }, '\\*a\\*\n\\<b'],
    [
      'a section with a button',
      {
        type: 'section',
        text: mrkdwn('a'),
        accessory: { type: 'button', text: plain('Go'), url: 'https://a.example' },
      },
      'a\n\n[Go](https://a.example)',
    ],
    [
      'a section with an image',
      {
        type: 'section',
        text: mrkdwn('a'),
        accessory: { type: 'image', image_url: 'https://a.example/b.png', alt_text: 'b' },
      },
      'a\n\n![b](https://a.example/b.png)',
    ],
    [
      'a context with an icon',
      {
        type: 'context',
        elements: [{ type: 'image', image_url: 'https://a.example/b.png', alt_text: 'b' }, mrkdwn('*c*')],
      },
      'b · **c**',
    ],
    [
      'an image with a title',
      { type: 'image', title: plain('T'), image_url: 'https://a.example/b.png', alt_text: '[b]' },
      'T\n\n![\\[b\\]](https://a.example/b.png)',
    ],
    [
      'an image over http',
      { type: 'image', image_url: 'http://a.example/b.png', alt_text: 'b' },
      '[b](http://a.example/b.png)',
    ],
    ['an image without a safe URL', { type: 'image', image_url: 'data:image/png,x', alt_text: 'b' }, 'b'],
    [
      'actions, of which only links work outside of Slack',
      {
        type: 'actions',
        elements: [
          { type: 'button', text: plain('Approve'), value: '1' },
          { type: 'button', text: plain('Open'), url: 'https://a.example/1' },
          { type: 'button', text: plain('Log'), url: 'https://a.example/2' },
        ],
      },
      '[Open](https://a.example/1) · [Log](https://a.example/2)',
    ],
  ];
  for (const [name, content, markdown] of cases) {
    test(`shows ${name}`, () => {
      expect(block(content)).toBe(markdown);
    });
  }

  test('shows rich text', () => {
    const section = (...elements: object[]) => ({ type: 'rich_text_section', elements });
    const text = (written: string, style = {}) => ({ type: 'text', text: written, style });
    const elements = [
      section(
        text('Hello '),
        text('bold\nline', { bold: true, italic: true }),
        text(' '),
        { type: 'link', url: 'https://a.example', text: 'A', style: { strike: true } },
        text(' '),
        text('x_*', { code: true }),
        text(' *_ '),
        { type: 'user', user_id: 'U1' },
        { type: 'emoji', name: 'tada' },
        { type: 'broadcast', range: 'here' },
        text(' '),
        { type: 'usergroup', usergroup_id: 'S1' },
        { type: 'channel', channel_id: 'C1' },
        { type: 'date', timestamp: 1392734382, format: '{date}', fallback: ' 18 February ' },
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

  test('says which block it does not show, next to blocks that it shows', () => {
    expect(read({ blocks: [{ type: 'divider' }, { type: 'video', title: plain('T') }] })).toBe(
      '---\n\n_Hub does not show this Slack block: video_',
    );
  });

  test('shows the text if there is no block that it can show', () => {
    expect(read({ text: 'fallback', blocks: [{ type: 'video' }, 'x', null] })).toBe('fallback');
    expect(read({ text: 'fallback', blocks: [{ type: 'constructor' }] })).toBe('fallback');
    const button = { type: 'button', text: plain('Approve'), value: '1' };
    expect(read({ text: 'fallback', blocks: [{ type: 'actions', elements: [button] }] })).toBe('fallback');
    expect(read({ text: 'fallback', blocks: [{ type: 'section', text: mrkdwn(' ') }] })).toBe('fallback');
  });
});

describe('attachments', () => {
  test('are quotes with all their parts', () => {
    const attachment = {
      pretext: 'before *it*',
      color: 'danger',
      author_name: 'ci',
      author_link: 'https://a.example/ci',
      title: 'Build *42*',
      title_link: 'https://a.example/42',
      text: '*failed*\n```x```',
      fields: [
        { title: 'Branch', value: '`main`', short: true },
        { title: '', value: 'a\nb' },
        { title: 'Passed', value: true },
        { title: 'Flaky', value: false },
        { title: 'Failed', value: 0 },
        { title: 'Skipped', value: null },
      ],
      image_url: 'https://a.example/i.png',
      actions: [{ type: 'button', text: 'Retry', url: 'https://a.example/retry' }],
      footer: 'Pipeline &amp; co',
      fallback: 'unused',
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

  test('are read from JSON text, as are blocks', () => {
    const blocks = JSON.stringify([{ type: 'section', text: mrkdwn('*b*') }]);
    expect(
      read({ text: 'a', attachments: JSON.stringify([{ text: 'x', blocks }, { fields: '[{"value": 1}]' }]) }),
    ).toBe('a\n\n> x\n>\n> **b**\n\n> - 1');
    expect(read({ text: 'a', blocks })).toBe('**b**');
    expect(read({ text: 'a', blocks: '[{', attachments: '{"text": "x"}' })).toBe('a');
  });

  test('show their blocks, or the fallback if there is nothing else', () => {
    const attachments = [{ fallback: 'F' }, { blocks: [{ type: 'section', text: mrkdwn('*b*') }], fallback: 'F' }, {}];
    expect(read({ attachments })).toBe('> F\n\n> **b**');
  });

  test.each([
    ['good', '🟢'],
    ['warning', '🟡'],
    ['#2eb886', '🟢'],
    ['36a64f', '🟢'],
    ['#E01E5A', '🔴'],
    ['#439FE0', '🔵'],
    ['#000000', '⚫'],
  ])('of the color %s begin with %s', (color, dot) => {
    expect(read({ attachments: [{ color, text: 'a' }] })).toBe(`> ${dot} a`);
  });

  test('without a valid color have no dot, and before a list or code the dot has its own line', () => {
    expect(read({ attachments: [{ color: 'constructor', text: 'a' }] })).toBe('> a');
    expect(read({ attachments: [{ color: 'good', text: '```a```' }] })).toBe('> 🟢\n>\n> ```\n> a\n> ```');
  });
});

const WITHOUT_CONTENT = [
  null,
  1,
  'x',
  [],
  {},
  { text: ' ' },
  { text: {} },
  { blocks: 'x' },
  { attachments: [null, {}] },
];
for (const payload of WITHOUT_CONTENT) {
  test(`a payload without content has no parts: ${JSON.stringify(payload)}`, () => {
    expect(read(payload)).toBe('');
  });
}
