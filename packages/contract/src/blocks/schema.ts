import { type Static, type TSchema, Type } from '@sinclair/typebox';
import {
  ChecklistData,
  CodeData,
  DelimiterData,
  HeaderData,
  ImageData,
  ListData,
  LooseObject,
  NestedListData,
  optional,
  ParagraphData,
  QuoteData,
  TableData,
  WarningData,
} from './data-schemas.ts';

/** An object with any content. */
const AnyObject = (options?: { description: string }) => Type.Unsafe<Record<string, unknown>>(LooseObject({}, options));

const common = {
  id: optional(Type.String(), "Editor.js' id of the block."),
  tunes: optional(AnyObject(), 'Settings of block tunes.'),
};

const knownBlock = <T extends string, D extends TSchema>(type: T, data: D, title: string) =>
  Type.Object({ type: Type.Literal(type), data, ...common }, { additionalProperties: false, title });

const knownBlocks = [
  knownBlock('paragraph', ParagraphData, 'Paragraph'),
  knownBlock('header', HeaderData, 'Header'),
  knownBlock('list', ListData, 'List'),
  knownBlock('checklist', ChecklistData, 'Checklist'),
  knownBlock('quote', QuoteData, 'Quote'),
  knownBlock('code', CodeData, 'Code'),
  knownBlock('delimiter', DelimiterData, 'Delimiter'),
  knownBlock('table', TableData, 'Table'),
  knownBlock('warning', WarningData, 'Warning'),
  knownBlock('image', ImageData, 'Image'),
] as const;

/** The block types that Hub validates and renders. Blocks of any other type are kept, but only their text is shown. */
const KNOWN_BLOCK_TYPES = knownBlocks.map((block) => block.properties.type.const);

/** The schema with which `data` is validated, by known type. */
export const dataSchemaOf: ReadonlyMap<string, TSchema> = new Map<string, TSchema>([
  ...knownBlocks.map((block): [string, TSchema] => [block.properties.type.const, block.properties.data]),
  ['list', NestedListData],
]);

const UnknownBlock = Type.Object(
  {
    type: Type.String({
      description: 'Any other type.',
      pattern: `^(?!(?:${KNOWN_BLOCK_TYPES.join('|')})$)`,
      examples: ['poll'],
    }),
    data: AnyObject({ description: 'Any data that the tool saves.' }),
    ...common,
  },
  {
    additionalProperties: false,
    title: 'Other block',
    description: 'A block of an unknown type is stored unchanged and shown as its text, marked as unsupported.',
  },
);

/** One Editor.js block as `save()` returns it. */
export const BlockSchema = Type.Union([...knownBlocks, UnknownBlock], {
  description: 'One Editor.js block. Properties that a plugin adds inside `data` are kept.',
  examples: [
    { type: 'header', data: { text: 'Release 2.4', level: 2 } },
    { type: 'paragraph', data: { text: '<b>Deployed</b> in 42 s' } },
  ],
});

/** A block of a known type. Narrow it by its `type`. */
export type KnownBlock = Static<(typeof knownBlocks)[number]>;
export type UnknownBlock = Static<typeof UnknownBlock>;
export type Block = KnownBlock | UnknownBlock;
