/** Text and its selected range. */
export interface Selection {
  text: string;
  start: number;
  end: number;
}

/** The replacement of a range, and the selection afterwards. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
  start: number;
  end: number;
}

export type Mark = 'bold' | 'italic' | 'code' | 'link' | 'list';

/** Returns the edit that a toolbar button makes. Pressing the same button again reverts it. */
export function markText(mark: Mark, selection: Selection): Edit {
  if (mark === 'list') return list(selection);
  const tight = withoutBlanks(selection);
  if (mark === 'link') return link(tight);
  if (mark === 'bold') return wrap(tight, '**');
  if (mark === 'italic') return wrap(tight, '_');
  return tight.text.slice(tight.start, tight.end).includes('\n') ? fence(tight) : wrap(tight, '`');
}

/** Markdown delimiters must touch the text. */
function withoutBlanks({ text, start, end }: Selection): Selection {
  const chosen = text.slice(start, end);
  if (chosen.trim() === '') return { text, start, end: start };
  return {
    text,
    start: start + chosen.length - chosen.trimStart().length,
    end: end - (chosen.length - chosen.trimEnd().length),
  };
}

function wrap({ text, start, end }: Selection, sign: string): Edit {
  const inner = text.slice(start, end);
  const isAround = text.slice(start - sign.length, start) === sign && text.slice(end, end + sign.length) === sign;
  if (isAround && start >= sign.length) {
    const from = start - sign.length;
    return { from, to: end + sign.length, insert: inner, start: from, end: from + inner.length };
  }
  if (inner.length > 2 * sign.length && inner.startsWith(sign) && inner.endsWith(sign)) {
    const bare = inner.slice(sign.length, -sign.length);
    return { from: start, to: end, insert: bare, start, end: start + bare.length };
  }
  const first = start + sign.length;
  return { from: start, to: end, insert: sign + inner + sign, start: first, end: first + inner.length };
}

function fence({ text, start, end }: Selection): Edit {
  const inner = text.slice(start, end);
  const before = start === 0 || text[start - 1] === '\n' ? '```\n' : '\n```\n';
  const behind = text[end] === '\n' || end === text.length ? '\n```' : '\n```\n';
  const first = start + before.length;
  return { from: start, to: end, insert: before + inner + behind, start: first, end: first + inner.length };
}

/** Selects the part that is still to be written: the URL or the text. */
function link({ text, start, end }: Selection): Edit {
  const inner = text.slice(start, end);
  const isAddress = /^(?:https?:\/\/|mailto:)\S+$/i.test(inner);
  if (isAddress || inner === '') {
    const address = inner === '' ? 'https://' : inner;
    return { from: start, to: end, insert: `[](${address})`, start: start + 1, end: start + 1 };
  }
  const first = start + inner.length + '[]('.length;
  return { from: start, to: end, insert: `[${inner}](https://)`, start: first, end: first + 'https://'.length };
}

/** Turns whole lines into list items, or list items back into lines. */
function list({ text, start, end }: Selection): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = text.indexOf('\n', end);
  const to = lineEnd === -1 ? text.length : lineEnd;
  const lines = text.slice(from, to).split('\n');
  const areItems = lines.every((line) => line.startsWith('- '));
  const insert = lines
    .map((line) => (areItems ? line.slice(2) : line.startsWith('- ') ? line : `- ${line}`))
    .join('\n');
  const last = from + insert.length;
  return { from, to, insert, start: lines.length === 1 ? last : from, end: last };
}
