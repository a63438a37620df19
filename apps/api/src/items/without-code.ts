const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** Markdown without its code, fenced (CommonMark 0.31, section 4.5) or in a line (section 6.1). It takes time in proportion to the text. */
export function withoutCode(markdown: string): string {
  return markdown.includes('`') || markdown.includes('~~~') ? withoutSpans(withoutFences(markdown)) : markdown;
}

/** HTML without its `code` elements. */
export function withoutCodeElements(html: string): string {
  if (!html.includes('<code') && !html.includes('<CODE')) return html;
  let kept = '';
  let depth = 0;
  let from = 0;
  for (const tag of html.matchAll(/<(\/?)code\b[^<>]*>/gi)) {
    if (depth === 0) kept += html.slice(from, tag.index);
    depth = Math.max(0, depth + (tag[1] === '/' ? -1 : 1));
    from = tag.index + tag[0].length;
  }
  return depth === 0 ? `${kept} ${html.slice(from)}` : kept;
}

function withoutFences(markdown: string): string {
  const kept: string[] = [];
  let fence: string | null = null;
  for (const line of markdown.split(/\r\n|\r|\n/)) {
    const [, marks = '', rest = ''] = FENCE.exec(line) ?? [];
    if (fence === null) {
      // What follows the backticks of a fence holds none; otherwise it is code in a line.
      if (marks !== '' && !(marks.startsWith('`') && rest.includes('`'))) fence = marks;
      else kept.push(line);
    } else if (marks.startsWith(fence) && rest.trim() === '') {
      fence = null;
    }
  }
  return kept.join('\n');
}

/** Code in a line begins with some backticks and ends with as many; those that find no end are text. */
function withoutSpans(markdown: string): string {
  const runs = [...markdown.matchAll(/`+/g)].map((run) => ({ start: run.index, length: run[0].length }));
  // For each length, the runs that have it, so that no end is looked for twice.
  const ends = new Map<number, number[]>();
  for (const [index, { length }] of runs.entries()) {
    const others = ends.get(length);
    if (others) others.push(index);
    else ends.set(length, [index]);
  }
  for (const indexes of ends.values()) indexes.reverse();
  let kept = '';
  let from = 0;
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index];
    const others = run ? ends.get(run.length) : undefined;
    while (others && (others.at(-1) ?? Number.POSITIVE_INFINITY) <= index) others.pop();
    const endIndex = others?.at(-1);
    const end = endIndex === undefined ? undefined : runs[endIndex];
    if (!run || !end || endIndex === undefined) continue;
    kept += `${markdown.slice(from, run.start)} `;
    from = end.start + end.length;
    index = endIndex;
  }
  return kept + markdown.slice(from);
}
