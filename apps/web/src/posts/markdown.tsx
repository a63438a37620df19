import { useMemo } from 'preact/hooks';
import { Post } from './post.tsx';
import { readDraft } from './read-post.ts';

interface MarkdownProps {
  text: string;
  /** Folded after so many lines, behind a button; never, if it is left out. */
  collapseLines?: number;
}

/** A text that is no post yet, as it will look. It names nobody. */
export function Markdown({ text, collapseLines }: MarkdownProps) {
  const post = useMemo(() => readDraft(text), [text]);
  return <Post post={post} findNames={null} myId="" name={text} collapseLines={collapseLines} />;
}
