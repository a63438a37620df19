import { type ObjectOptions, type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox';

/**
 * The `data` of each Editor.js block that the Hub knows, as the current and the previous versions of its tool save it.
 * What a block means without is required (a level, a style, a check mark); what only decorates it may be left out.
 * Other properties are allowed and kept, because plugins add some.
 */

/** A field that may be left out. Programs in many languages write an absent field as `null`, which means the same. */
export const optional = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }));

/** Whatever else it has is kept, in answers too: an object that does not say so loses it there. */
export const KeepingObject = <T extends TProperties>(properties: T, options: ObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: true, ...options });

const inlineHtml = (description: string) => Type.String({ description: `${description} Inline HTML.` });
const flag = (description: string) => optional(Type.Boolean(), description);

export const ParagraphData = KeepingObject({ text: inlineHtml('The text.') });

export const HeaderData = KeepingObject({
  text: inlineHtml('The heading.'),
  level: Type.Integer({ minimum: 1, maximum: 6, description: 'From 1 for `h1` to 6 for `h6`.' }),
});

const ItemMeta = KeepingObject({ checked: flag('Whether it is ticked.') });

const ListMeta = KeepingObject({
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

/**
 * The items under an item have its own form. JSON Schema says that with a reference, for which a generated OpenAPI
 * document has no stable place, so the document says it in words; `compile-schema.ts` follows it to every level.
 */
export const NestedItems = Type.Unsafe<ListItem[]>(Type.Array(KeepingObject({ content: Type.String() })));

export const ListItemObject = KeepingObject(
  {
    content: inlineHtml('The text of the item.'),
    meta: optional(ItemMeta, 'Details of an item of a checklist.'),
    items: optional(NestedItems, 'Items under this one, each of the same form: `content`, `meta`, `items`.'),
  },
  { description: 'As List 2 and Nested List save it.' },
);

export const ListData = KeepingObject({
  style: Type.Union([Type.Literal('ordered'), Type.Literal('unordered'), Type.Literal('checklist')], {
    description: 'Numbers, bullets or check boxes.',
  }),
  meta: optional(ListMeta, 'Details of an ordered list.'),
  items: Type.Array(Type.Union([Type.String({ description: 'As List 1 saves it. Inline HTML.' }), ListItemObject])),
});
export type ListData = Static<typeof ListData>;

export const ChecklistData = KeepingObject({
  items: Type.Array(
    KeepingObject({
      text: inlineHtml('The text of the item.'),
      checked: Type.Boolean({ description: 'Whether it is ticked.' }),
    }),
  ),
});

export const QuoteData = KeepingObject({
  text: inlineHtml('The quotation.'),
  caption: optional(Type.String(), 'Who said it. Inline HTML.'),
  alignment: optional(Type.Union([Type.Literal('left'), Type.Literal('center')]), 'How it is aligned.'),
});

export const CodeData = KeepingObject({ code: Type.String({ description: 'The code, as plain text.' }) });

export const DelimiterData = KeepingObject({});

export const TableData = KeepingObject({
  withHeadings: flag('Whether the first row holds headings.'),
  stretched: flag('Whether it takes the full width.'),
  content: Type.Array(Type.Array(inlineHtml('A cell.')), { description: 'The rows, each an array of cells.' }),
});

export const WarningData = KeepingObject({
  title: optional(Type.String(), 'The title. Inline HTML.'),
  message: inlineHtml('The message.'),
});

const HTTPS_ONLY = 'An absolute https URL.';
const HttpsUrl = Type.String({
  description: HTTPS_ONLY,
  // No schema but this one has a pattern; compile-schema.ts explains every mismatch as "must be an https URL".
  pattern: '^[Hh][Tt][Tt][Pp][Ss]://[^\\s/?#\\\\][^\\t\\n\\r\\\\]*$',
});
const ImageFile = KeepingObject({ url: HttpsUrl });
const imageLook = {
  caption: optional(Type.String(), 'The caption. Inline HTML.'),
  withBorder: flag('Whether it has a border.'),
  withBackground: flag('Whether it has a background.'),
  stretched: flag('Whether it takes the full width.'),
};

/** Each form constrains the address of the other too, so that no address other than https can hide in either. */
export const ImageData = Type.Union([
  KeepingObject(
    { file: ImageFile, url: optional(HttpsUrl, HTTPS_ONLY), ...imageLook },
    { description: 'As Image saves it.' },
  ),
  KeepingObject(
    { url: HttpsUrl, file: optional(ImageFile, 'As Image saves it.'), ...imageLook },
    { description: 'As Simple Image saves it.' },
  ),
]);
