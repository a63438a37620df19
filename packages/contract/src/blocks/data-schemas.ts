import { type ObjectOptions, type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox';

/**
 * The `data` of each Editor.js block type that Hub supports, as saved by the current and previous versions of its tool.
 * Fields that carry meaning are required (a level, a style, a check mark); decorative fields are optional.
 * Other properties are allowed and kept, because plugins add their own.
 */

/** An optional field. `null` also means absent, because programs in many languages write absent fields as `null`. */
export const optional = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }));

/** An object that keeps unknown properties. Without `additionalProperties: true`, responses would drop them. */
export const LooseObject = <T extends TProperties>(properties: T, options: ObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: true, ...options });

const inlineHtml = (description: string) => Type.String({ description: `${description} Inline HTML.` });
const flag = (description: string) => optional(Type.Boolean(), description);

export const ParagraphData = LooseObject({ text: inlineHtml('The text.') });

export const HeaderData = LooseObject({
  text: inlineHtml('The heading.'),
  level: Type.Integer({ minimum: 1, maximum: 6, description: 'From 1 for `h1` to 6 for `h6`.' }),
});

const ItemMeta = LooseObject({ checked: flag('Whether it is checked.') });

const ListMeta = LooseObject({
  start: optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), 'The first number of an ordered list.'),
  counterType: optional(
    Type.Union([
      Type.Literal('numeric'),
      Type.Literal('lower-roman'),
      Type.Literal('upper-roman'),
      Type.Literal('lower-alpha'),
      Type.Literal('upper-alpha'),
    ]),
    'How an ordered list counts.',
  ),
});

export interface ListItem {
  content: string;
  meta?: Static<typeof ItemMeta> | null;
  items?: ListItem[] | null;
}

const listItemOf = <T extends TSchema>(items: T) =>
  LooseObject(
    {
      content: inlineHtml('The text of the item.'),
      meta: optional(ItemMeta, 'Details of an item of a checklist.'),
      items: optional(items, 'Items under this one, each of the same form: `content`, `meta`, `items`.'),
    },
    { description: 'The format of List 2 and Nested List.' },
  );

const listDataOf = <T extends TSchema>(item: T) =>
  LooseObject({
    style: Type.Union([Type.Literal('ordered'), Type.Literal('unordered'), Type.Literal('checklist')], {
      description: 'Numbers, bullets or checkboxes.',
    }),
    meta: optional(ListMeta, 'Details of an ordered list.'),
    items: Type.Array(Type.Union([Type.String({ description: 'The format of List 1. Inline HTML.' }), item])),
  });

/**
 * Nested items have the same form as their parent. In JSON Schema this is a reference, for which the generated OpenAPI
 * document has no stable path, so the document describes it in prose. Data is validated with `NestedListData`.
 */
export const NestedItems = Type.Unsafe<ListItem[]>(Type.Array(LooseObject({ content: Type.String() })));
export const ListItemObject = listItemOf(NestedItems);
export const ListData = listDataOf(ListItemObject);
export type ListData = Static<typeof ListData>;

/** `ListData` with every level of nested items. */
export const NestedListData = listDataOf(Type.Recursive((item) => listItemOf(Type.Array(item))));

export const ChecklistData = LooseObject({
  items: Type.Array(
    LooseObject({
      text: inlineHtml('The text of the item.'),
      checked: Type.Boolean({ description: 'Whether it is checked.' }),
    }),
  ),
});

export const QuoteData = LooseObject({
  text: inlineHtml('The quotation.'),
  caption: optional(Type.String(), 'The source of the quotation. Inline HTML.'),
  alignment: optional(Type.Union([Type.Literal('left'), Type.Literal('center')]), 'The alignment.'),
});

export const CodeData = LooseObject({ code: Type.String({ description: 'The code, as plain text.' }) });

export const DelimiterData = LooseObject({});

export const TableData = LooseObject({
  withHeadings: flag('Whether the first row holds headings.'),
  stretched: flag('Whether it takes the full width.'),
  content: Type.Array(Type.Array(inlineHtml('A cell.')), { description: 'The rows, each an array of cells.' }),
});

export const WarningData = LooseObject({
  title: optional(Type.String(), 'The title. Inline HTML.'),
  message: inlineHtml('The message.'),
});

const HTTPS_ONLY = 'An absolute https URL.';
const HttpsUrl = Type.String({
  description: HTTPS_ONLY,
  // This is the only schema with a pattern: explain-data.ts reports every mismatch as "must be an https URL".
  pattern: '^[Hh][Tt][Tt][Pp][Ss]://[^\\s/?#\\\\][^\\t\\n\\r\\\\]*$',
});
const ImageFile = LooseObject({ url: HttpsUrl });
const imageLook = {
  caption: optional(Type.String(), 'The caption. Inline HTML.'),
  withBorder: flag('Whether it has a border.'),
  withBackground: flag('Whether it has a background.'),
  stretched: flag('Whether it takes the full width.'),
};

/** Each form also restricts the URL field of the other form, so that neither can hide a URL that is not https. */
export const ImageData = Type.Union([
  LooseObject(
    { file: ImageFile, url: optional(HttpsUrl, HTTPS_ONLY), ...imageLook },
    { description: 'The format of Image.' },
  ),
  LooseObject(
    { url: HttpsUrl, file: optional(ImageFile, 'The format of Image.'), ...imageLook },
    { description: 'The format of Simple Image.' },
  ),
]);
