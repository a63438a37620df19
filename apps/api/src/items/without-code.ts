import { codeParts } from '@hub/contract/markdown/code-parts';

/** Returns Markdown without its code and comments, in linear time. */
export function withoutCode(markdown: string): string {
  return codeParts(markdown)
    .map(({ text, kind }) => (kind === 'text' ? text : ' '))
    .join('');
}

/** Returns HTML without its `code` elements. */
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
