/** Text with inline HTML. Hub shows `b`, `strong`, `i`, `em`, `u`, `s`, `code`, `mark`, `br` and `a` with `href`. */
export interface InlineHtml {
  readonly html: string;
}

/** Plain text, or the result of `` html`…` ``. */
export type Inline = string | InlineHtml;

/** A block of one type. Plain text is escaped, so that it is shown as it is. */
export interface BlockOf<Type extends string, Data> {
  type: Type;
  data: Data;
}

/** An item of a list, with the items under it. */
export interface ListEntry {
  text: Inline;
  /** Only for the style `checklist`. */
  checked?: boolean;
  items?: readonly (Inline | ListEntry)[];
}

/** A list item as Editor.js saves it. */
export interface ListItemData {
  content: string;
  meta: { checked?: boolean };
  items: ListItemData[];
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '<br>',
};

function inline(text: Inline): string {
  return typeof text === 'string' ? text.replaceAll(/[&<>"]|\r?\n/g, (match) => ESCAPES[match] ?? '<br>') : text.html;
}

/** Builds inline HTML, and escapes the values in it: `` html`<b>${name}</b> failed` ``. */
export function html(parts: TemplateStringsArray, ...inserted: readonly Inline[]): InlineHtml {
  return { html: String.raw({ raw: parts }, ...inserted.map(inline)) };
}

/** A paragraph of text. */
export function paragraph(text: Inline): BlockOf<'paragraph', { text: string }> {
  return { type: 'paragraph', data: { text: inline(text) } };
}

type HeaderLevel = 1 | 2 | 3 | 4 | 5 | 6;

/** A heading; `level` 1 is the largest. */
export function header(text: Inline, level: HeaderLevel = 2): BlockOf<'header', { text: string; level: HeaderLevel }> {
  return { type: 'header', data: { text: inline(text), level } };
}

type ListStyle = 'ordered' | 'unordered' | 'checklist';

/** A list of texts, or of entries that have others under them or, in a checklist, are checked. */
export function list(
  items: readonly (Inline | ListEntry)[],
  style: ListStyle = 'unordered',
): BlockOf<'list', { style: ListStyle; items: ListItemData[] }> {
  return { type: 'list', data: { style, items: items.map(listItem) } };
}

function listItem(entry: Inline | ListEntry): ListItemData {
  const {
    text,
    checked,
    items = [],
  }: ListEntry = typeof entry === 'object' && 'text' in entry ? entry : { text: entry };
  return { content: inline(text), meta: checked === undefined ? {} : { checked }, items: items.map(listItem) };
}

/** A quotation, and who said it. */
export function quote(text: Inline, caption: Inline = ''): BlockOf<'quote', { text: string; caption: string }> {
  return { type: 'quote', data: { text: inline(text), caption: inline(caption) } };
}

/** Code, which is shown as it is. */
export function code(text: string): BlockOf<'code', { code: string }> {
  return { type: 'code', data: { code: text } };
}

/** A line between sections. */
export function delimiter(): BlockOf<'delimiter', Record<string, never>> {
  return { type: 'delimiter', data: {} };
}

/** A table of rows, each an array of cells. */
export function table(
  rows: readonly (readonly Inline[])[],
  { withHeadings = false }: { withHeadings?: boolean } = {},
): BlockOf<'table', { withHeadings: boolean; content: string[][] }> {
  return { type: 'table', data: { withHeadings, content: rows.map((row) => row.map(inline)) } };
}

/** A highlighted warning. */
export function warning(title: Inline, message: Inline): BlockOf<'warning', { title: string; message: string }> {
  return { type: 'warning', data: { title: inline(title), message: inline(message) } };
}

/** An image on another server, which readers load on request. */
export function image(
  url: `https://${string}`,
  caption: Inline = '',
): BlockOf<'image', { file: { url: string }; caption: string }> {
  return { type: 'image', data: { file: { url }, caption: inline(caption) } };
}
