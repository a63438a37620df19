import { useMemo } from 'preact/hooks';
import { Post } from './post.tsx';
import { readDraft } from './read-post.ts';

interface MarkdownProps {
  text: string;
  /** Collapses the text after this many lines; never if omitted. */
  collapseLines?: number;
}

/** A preview of text that has not been posted yet. Mentions are not highlighted. */
export function Markdown({ text, collapseLines }: MarkdownProps) {
  const post = useMemo(() => readDraft(text), [text]);
  return <Post post={post} findNames={null} myId="" name={text} collapseLines={collapseLines} />;
}
