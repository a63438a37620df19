/**
 * The output of save() in the Editor.js tools, by tool and version, taken from their sources and READMEs. Each block
 * must be accepted unchanged. `text` is the result of blocksToText.
 */
export const savedBlocks = [
  { by: 'paragraph 2', block: { type: 'paragraph', data: { text: '<b>Hi</b> all' } }, text: 'Hi all' },
  { by: 'header 2', block: { type: 'header', data: { text: 'Release', level: 2 } }, text: '## Release' },
  {
    by: 'list 1',
    block: { type: 'list', data: { style: 'ordered', items: ['one', 'two'] } },
    text: '1. one\n2. two',
  },
  {
    by: 'nested-list 1',
    block: {
      type: 'list',
      data: { style: 'unordered', items: [{ content: 'Apples', items: [{ content: 'Red', items: [] }] }] },
    },
    text: '- Apples\n  - Red',
  },
  {
    by: 'list 2, ordered',
    block: {
      type: 'list',
      data: {
        style: 'ordered',
        meta: { start: 9, counterType: 'upper-roman' },
        items: [
          { content: 'nine', meta: {}, items: [{ content: 'first', meta: {}, items: [] }] },
          { content: 'ten', meta: {}, items: [] },
        ],
      },
    },
    text: '9. nine\n   1. first\n10. ten',
  },
  {
    by: 'list 2, checklist',
    block: {
      type: 'list',
      data: {
        style: 'checklist',
        meta: {},
        items: [
          { content: 'build', meta: { checked: true }, items: [] },
          {
            content: 'ship',
            meta: { checked: false },
            items: [{ content: 'tell', meta: { checked: false }, items: [] }],
          },
        ],
      },
    },
    text: '[x] build\n[ ] ship\n    [ ] tell',
  },
  {
    by: 'checklist 1',
    block: {
      type: 'checklist',
      data: {
        items: [
          { text: 'a', checked: true },
          { text: 'b', checked: false },
        ],
      },
    },
    text: '[x] a\n[ ] b',
  },
  {
    by: 'quote 2',
    block: { type: 'quote', data: { text: 'Know<br>thyself', caption: 'Socrates', alignment: 'center' } },
    text: '> Know\n> thyself\n> — Socrates',
  },
  {
    by: 'code 2',
    block: { type: 'code', data: { code: 'if (a < b) {\n  run(&x);\n}' } },
    text: 'if (a < b) {\n  run(&x);\n}',
  },
  { by: 'delimiter 1', block: { type: 'delimiter', data: {} }, text: '---' },
  {
    by: 'table 1',
    block: {
      type: 'table',
      data: {
        content: [
          ['Kine', '1 pcs'],
          ['Pigs', '3 pcs'],
        ],
      },
    },
    text: 'Kine | 1 pcs\nPigs | 3 pcs',
  },
  {
    by: 'table 2',
    block: { type: 'table', data: { withHeadings: true, stretched: false, content: [['Kine', 'a<br>b']] } },
    text: 'Kine | a b',
  },
  {
    by: 'warning 1',
    block: { type: 'warning', data: { title: 'Note:', message: 'Backups are old' } },
    text: '⚠ Note:\nBackups are old',
  },
  {
    by: 'image 2',
    block: {
      type: 'image',
      data: {
        file: { url: 'https://example.com/a.png', width: 40 },
        caption: 'A car',
        withBorder: false,
        withBackground: false,
        stretched: true,
      },
    },
    text: 'A car (https://example.com/a.png)',
  },
  {
    by: 'simple-image 1',
    block: {
      type: 'image',
      data: {
        url: 'https://example.com/a.png',
        caption: '',
        withBorder: false,
        withBackground: false,
        stretched: false,
      },
    },
    text: 'https://example.com/a.png',
  },
  {
    by: 'an unknown plugin',
    block: {
      id: 'x1',
      type: 'poll',
      data: { question: 'Tea?', choices: [{ text: '<i>Yes</i>' }, 'No'], max: 2 },
      tunes: {},
    },
    text: '[unsupported block: poll] Tea? Yes No',
  },
];
