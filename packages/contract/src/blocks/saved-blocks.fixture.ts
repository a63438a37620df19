/** An item of nested-list 1, and one of list 2. */
const nested = (content: string, ...items: object[]) => ({ content, items });
const item = (content: string, meta: object, ...items: object[]) => ({ content, meta, items });
const FRAME = { withBorder: false, withBackground: false, stretched: true };

/** The `data` of each Editor.js tool by version, taken from their sources and READMEs, and what blocksToText makes of it. */
const SAVED: [by: string, type: string, data: object, text: string][] = [
  ['paragraph 2', 'paragraph', { text: '<b>Hi</b> all' }, 'Hi all'],
  ['header 2', 'header', { text: 'Release', level: 2 }, '## Release'],
  ['list 1', 'list', { style: 'ordered', items: ['one', 'two'] }, '1. one\n2. two'],
  ['nested-list 1', 'list', { style: 'unordered', items: [nested('A', nested('Red'))] }, '- A\n  - Red'],
  [
    'list 2, ordered',
    'list',
    {
      style: 'ordered',
      meta: { start: 9, counterType: 'upper-roman' },
      items: [item('9', {}, item('1', {})), item('10', {})],
    },
    '9. 9\n   1. 1\n10. 10',
  ],
  [
    'list 2, checklist',
    'list',
    {
      ...{ style: 'checklist', meta: {} },
      items: [item('build', { checked: true }), item('ship', { checked: false }, item('tell', { checked: false }))],
    },
    '[x] build\n[ ] ship\n    [ ] tell',
  ],
  ['checklist 1', 'checklist', { items: [true, false].map((checked) => ({ text: 'a', checked })) }, '[x] a\n[ ] a'],
  ['quote 2', 'quote', { text: 'Know<br>it', caption: 'Plato', alignment: 'center' }, '> Know\n> it\n> — Plato'],
  ['code 2', 'code', { code: 'if (a < b) {\n  run(&x);\n}' }, 'if (a < b) {\n  run(&x);\n}'],
  ['delimiter 1', 'delimiter', {}, '---'],
  ['table 1', 'table', { content: ['Kine', 'Pigs'].map((name) => [name, '3 pcs']) }, 'Kine | 3 pcs\nPigs | 3 pcs'],
  ['table 2', 'table', { withHeadings: true, stretched: false, content: [['Kine', 'a<br>b']] }, 'Kine | a b'],
  ['warning 1', 'warning', { title: 'Note:', message: 'Backups are old' }, '⚠ Note:\nBackups are old'],
  [
    'image 2',
    'image',
    { ...FRAME, file: { url: 'https://example.com/a.png', width: 40 }, caption: 'A car' },
    'A car (https://example.com/a.png)',
  ],
  ['simple-image 1', 'image', { ...FRAME, url: 'https://a.example/', caption: '' }, 'https://a.example/'],
  [
    'a plugin',
    'poll',
    { ask: 'Tea?', choices: [{ a: '<i>Y</i>' }, 'N'], max: 2 },
    '[unsupported block: poll] Tea? Y N',
  ],
];

/** The output of save(), which must be accepted unchanged. */
export const savedBlocks = SAVED.map(([by, type, data, text]) => {
  return { by, text, block: { id: 'x1', type, data, tunes: {} } };
});
