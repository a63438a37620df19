import type { Block, KnownBlock } from './schema.ts';

/** Apart from the schemas, since showing a block does not need them. */
const KNOWN: Readonly<Record<KnownBlock['type'], true>> = {
  paragraph: true,
  header: true,
  list: true,
  checklist: true,
  quote: true,
  code: true,
  delimiter: true,
  table: true,
  warning: true,
  image: true,
};

export function isKnownBlock(block: Block): block is KnownBlock {
  return Object.hasOwn(KNOWN, block.type);
}
