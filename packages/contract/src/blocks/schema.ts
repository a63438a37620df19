import { type Static, type TSchema, Type } from '@sinclair/typebox';
import {
  ChecklistData,
  CodeData,
  DelimiterData,
  HeaderData,
  ImageData,
  KeepingObject,
  ListData,
  optional,
  ParagraphData,
  QuoteData,
  TableData,
  WarningData,
} from './data-schemas.ts';

/** An object of any content. */
const AnyObject = (options?: { description: string }) =>
  Type.Unsafe<Record<string, unknown>>(KeepingObject({}, options));

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

/** The block types that the Hub checks and shows; every other type is kept, and shown as its text. */
export const KNOWN_BLOCK_TYPES = knownBlocks.map((block) => block.properties.type.const);

/** The schema of the `data` of a known type, and `undefined` for any other. */
export const dataSchemaOf: ReadonlyMap<string, TSchema> = new Map(
  knownBlocks.map((block): [string, TSchema] => [block.properties.type.const, block.properties.data]),
);

const UnknownBlock = Type.Object(
  {
    type: Type.String({
      description: 'Any other type.',
      pattern: `^(?!(?:${KNOWN_BLOCK_TYPES.join('|')})$)`,
      examples: ['poll'],
    }),
    data: AnyObject({ description: 'Whatever the tool saves.' }),
    ...common,
  },
  {
    additionalProperties: false,
    title: 'Other block',
    description:
      'A block of a type that the Hub does not know is kept as it is and shown as its text, marked as unsupported.',
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

/** A block of a known type: narrow one by its `type`. */
export type KnownBlock = Static<(typeof knownBlocks)[number]>;
export type UnknownBlock = Static<typeof UnknownBlock>;
export type Block = KnownBlock | UnknownBlock;

export function isKnownBlock(block: Block): block is KnownBlock {
  return dataSchemaOf.has(block.type);
}
