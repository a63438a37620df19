/** A stretch of a Markdown text. Code is with its fences or backticks, a comment of HTML with all of its lines. */
export interface MarkdownPart {
  text: string;
  is: 'text' | 'code' | 'comment';
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const COMMENT = /^ {0,3}<!--/;

/**
 * Cuts a Markdown text into blocks that are comments (CommonMark 0.31, section 4.6), code, fenced (section 4.5) or in a line (section
 * 6.1), and what is neither. The parts make up the whole. It takes time in proportion to the text.
 */
export function codeParts(markdown: string): MarkdownPart[] {
  if (!/`|~~~|<!--/.test(markdown)) return [{ text: markdown, is: 'text' }];
  return blockParts(markdown).flatMap((part) => (part.is === 'text' ? spanParts(part.text) : [part]));
}

function blockParts(markdown: string): MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  let from = 0;
  let fence: string | null = null;
  let mayEndComment = true;
  const cut = (at: number, is: MarkdownPart['is']) => {
    if (at > from) parts.push({ text: markdown.slice(from, at), is });
    from = at;
  };
  for (const { 0: line, index } of markdown.matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/g)) {
    if (index < from) continue;
    const [, marks = '', rest = ''] = FENCE.exec(line.trimEnd()) ?? [];
    if (fence !== null) {
      if (!marks.startsWith(fence) || rest.trim() !== '') continue;
      cut(index + line.length, 'code');
      fence = null;
    } else if (marks !== '' && !(marks.startsWith('`') && rest.includes('`'))) {
      // What follows the backticks of a fence holds none; otherwise it is code in a line.
      cut(index, 'text');
      fence = marks;
    } else if (mayEndComment && COMMENT.test(line)) {
      const end = markdown.indexOf('-->', index);
      // If one does not end, no other after it does.
      mayEndComment = end !== -1;
      if (!mayEndComment) continue;
      cut(index, 'text');
      cut(end + '-->'.length, 'comment');
    }
  }
  cut(markdown.length, fence === null ? 'text' : 'code');
  return parts;
}

/** Code in a line begins with some backticks and ends with as many; those that find no end are text. */
function spanParts(markdown: string): MarkdownPart[] {
  const runs = [...markdown.matchAll(/`+/g)].map((run) => ({ start: run.index, length: run[0].length }));
  // For each length, the runs that have it, so that no end is looked for twice.
  const ends = new Map<number, number[]>();
  for (const [index, { length }] of runs.entries()) {
    const others = ends.get(length);
    if (others) others.push(index);
    else ends.set(length, [index]);
  }
  for (const indexes of ends.values()) indexes.reverse();
  const parts: MarkdownPart[] = [];
  let from = 0;
  const cut = (at: number, is: MarkdownPart['is']) => {
    if (at > from) parts.push({ text: markdown.slice(from, at), is });
    from = at;
  };
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index];
    const others = run ? ends.get(run.length) : undefined;
    while (others && (others.at(-1) ?? Number.POSITIVE_INFINITY) <= index) others.pop();
    const endIndex = others?.at(-1);
    const end = endIndex === undefined ? undefined : runs[endIndex];
    if (!run || !end || endIndex === undefined) continue;
    cut(run.start, 'text');
    cut(end.start + end.length, 'code');
    index = endIndex;
  }
  cut(markdown.length, 'text');
  return parts;
}
