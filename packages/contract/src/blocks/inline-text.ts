import { withoutEscapes } from '../markdown/without-escapes.ts';
import { type InlineNode, parseInlineHtml } from './inline-html.ts';

/** The readable text of an Editor.js string: breaks as line ends, links with their address, no formatting, no sequences for terminals. */
export function inlineText(html: string): string {
  if (!html.includes('<') && !html.includes('&')) return withoutEscapes(html);
  return withoutEscapes(textOf(parseInlineHtml(html)).replaceAll('\u00a0', ' '));
}

function textOf(nodes: readonly InlineNode[]): string {
  let text = '';
  for (const node of nodes) {
    if (typeof node === 'string') text += node;
    else if (node.tag === 'br') text += '\n';
    else if (node.tag === 'a') text += linkText(textOf(node.children), node.href);
    else text += textOf(node.children);
  }
  return text;
}

function linkText(text: string, href: string): string {
  const says = text.trim();
  const saysAll = says === href || `${says}/` === href || `mailto:${says}` === href;
  return saysAll ? text : `${text} (${href})`;
}
