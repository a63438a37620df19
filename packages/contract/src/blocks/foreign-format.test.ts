import { describe, expect, test } from 'bun:test';
import { checkBlocks } from './check-blocks.ts';

function messageOf(value: unknown): string {
  const result = checkBlocks(value);
  return result.ok ? 'accepted' : result.message;
}

const slackMessage = [
  { type: 'header', text: { type: 'plain_text', text: 'Nightly build 218', emoji: true } },
  {
    type: 'section',
    block_id: 'result',
    text: { type: 'mrkdwn', text: '*Failed* after 12 min: <https://ci.example.org/218|log>' },
    accessory: { type: 'button', action_id: 'retry', text: { type: 'plain_text', text: 'Retry' }, value: '218' },
  },
  { type: 'divider' },
  { type: 'image', image_url: 'https://ci.example.org/218.png', alt_text: 'Duration of the last builds' },
  { type: 'context', elements: [{ type: 'mrkdwn', text: 'Started by the schedule' }] },
  {
    type: 'rich_text',
    elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'Deployed', style: { bold: true } }] }],
  },
  { type: 'markdown', text: '**Deployed** in 42 s' },
  { type: 'table', rows: [[{ type: 'raw_text', text: 'Suite' }], [{ type: 'raw_text', text: 'unit' }]] },
];

const styled = (text: string) => [{ type: 'text', text, styles: {} }];
const blockNoteDocument = [
  {
    id: '4e0b1f1e-0c1a-4d0e-9a3b-2f5f8f0a7c11',
    type: 'heading',
    props: { textColor: 'default', backgroundColor: 'default', textAlignment: 'left', level: 2 },
    content: styled('Release 2.4'),
    children: [],
  },
  { id: 'b3', type: 'paragraph', props: {}, content: [], children: [] },
];

const proseMirrorDocument = {
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Release 2.4' }] },
    {
      type: 'paragraph',
      content: [{ type: 'text', marks: [{ type: 'bold' }], text: 'Deployed' }, { type: 'hardBreak' }],
    },
  ],
};

const messageFor = (format: string) =>
  `These look like ${format}; Hub takes Editor.js blocks. Send text, or convert each to a type and data, ` +
  'such as {"type":"paragraph","data":{"text":"Hello"}}.';

describe('blocks in the format of another program are rejected with an error that names the program', () => {
  test.each([
    ['a whole message', slackMessage],
    ['a payload that contains it', { channel: 'C0123', blocks: slackMessage }],
    ['more blocks than Hub takes', Array.from({ length: 101 }, () => slackMessage[1])],
    ...slackMessage.map((block): [string, unknown] => [`one ${block.type} block`, [block]]),
  ])('Slack Block Kit: %s', (_, value) => {
    expect(messageOf(value)).toBe(messageFor('Slack Block Kit blocks'));
  });

  test.each([
    ['a whole document', blockNoteDocument],
    ['one heading', blockNoteDocument.slice(0, 1)],
    ['a block written by hand, without props', [{ type: 'paragraph', content: styled('Hello') }]],
  ])('BlockNote: %s', (_, value) => {
    expect(messageOf(value)).toBe(messageFor('BlockNote blocks'));
  });

  test.each([
    ['a whole document', proseMirrorDocument],
    ['a document in an array', [proseMirrorDocument]],
    ['an empty document', { type: 'doc', content: [] }],
    ['its nodes', proseMirrorDocument.content],
    ...proseMirrorDocument.content.map((node): [string, unknown] => [`one ${node.type}`, [node]]),
  ])('ProseMirror: %s', (_, value) => {
    expect(messageOf(value)).toBe(messageFor('ProseMirror or TipTap nodes'));
  });
});

describe('blocks that may be meant for Editor.js are rejected with an error about the field', () => {
  test.each([
    [[{ type: 'paragraph', text: 'Hello' }], 'blocks[0].text is not a field of a block'],
    [[{ type: 'header', text: 'Hello', level: 2 }], 'blocks[0].text is not a field of a block'],
    [[{ type: 'section', text: 'Hello' }], 'blocks[0].text is not a field of a block'],
    [[{ type: 'delimiter' }], 'blocks[0].data is missing'],
    [[{ type: 'toString', elements: [] }], 'blocks[0].elements is not a field of a block'],
    [[{ type: 'paragraph', content: 'Hello' }], 'blocks[0].content is not a field of a block'],
    [[{ type: 'poll', data: {} }, { type: 'divider' }], 'blocks[1].data is missing'],
    [[slackMessage[0], null], 'blocks[0].text is not a field of a block'],
    [{ time: 1, blocks: [{ type: 'delimiter', data: {} }], version: '2.31.0' }, 'send the `blocks` of what'],
    [{ blocks: [] }, 'send the `blocks` of what'],
    [{}, 'blocks must be an array'],
  ])('%j', (value, message) => {
    expect(messageOf(value)).toContain(message);
  });
});
