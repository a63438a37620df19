/** A part of Markdown text. Code includes its fences or backticks, and an HTML comment includes all of its lines. */
interface MarkdownPart {
  text: string;
  kind: 'text' | 'code' | 'comment';
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const COMMENT = /^ {0,3}<!--/;

/**
 * Splits Markdown text into HTML comments (CommonMark 0.31, section 4.6), fenced code (section 4.5), inline code
 * (section 6.1), and other text. The parts add up to the whole text. Takes linear time.
 */
export function codeParts(markdown: string): MarkdownPart[] {
  if (!/`|~~~|<!--/.test(markdown)) return [{ text: markdown, kind: 'text' }];
  return blockParts(markdown).flatMap((part) => (part.kind === 'text' ? spanParts(part.text) : [part]));
}

function blockParts(markdown: string): MarkdownPart[] {
  const parts: MarkdownPart[] = [];
  let from = 0;
  let fence: string | null = null;
  let mayEndComment = true;
  const cut = (at: number, kind: MarkdownPart['kind']) => {
    if (at > from) parts.push({ text: markdown.slice(from, at), kind });
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
      // The rest of a line that opens a backtick fence contains no backticks; otherwise it is inline code.
      cut(index, 'text');
      fence = marks;
    } else if (mayEndComment && COMMENT.test(line)) {
      const end = markdown.indexOf('-->', index);
      // If this comment does not end, no later one does either.
      mayEndComment = end !== -1;
      if (!mayEndComment) continue;
      cut(index, 'text');
      cut(end + '-->'.length, 'comment');
    }
  }
  cut(markdown.length, fence === null ? 'text' : 'code');
  return parts;
}

/** Inline code ends with as many backticks as it begins with. Unmatched backticks are text. */
function spanParts(markdown: string): MarkdownPart[] {
  const runs = [...markdown.matchAll(/`+/g)].map((run) => ({ start: run.index, length: run[0].length }));
  // Indexes of the backtick runs by length, so that the end of inline code is found without another search.
  const ends = new Map<number, number[]>();
  for (const [index, { length }] of runs.entries()) {
    const others = ends.get(length);
    if (others) others.push(index);
    else ends.set(length, [index]);
  }
  for (const indexes of ends.values()) indexes.reverse();
  const parts: MarkdownPart[] = [];
  let from = 0;
  const cut = (at: number, kind: MarkdownPart['kind']) => {
    if (at > from) parts.push({ text: markdown.slice(from, at), kind });
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
