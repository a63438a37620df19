import { useMemo } from 'preact/hooks';
import { readDraft } from '../../lib/posts/read-post.ts';
import { Post } from './post.tsx';

interface MarkdownProps {
  text: string;
  /** Collapses the text after this many lines; never if omitted. */
  collapseLines?: number;
}

/** A preview of text that has not been posted yet. Mentions are not highlighted. */
export function Markdown({ text, collapseLines }: MarkdownProps) {
  const post = useMemo(() => readDraft(text), [text]);
  return <Post post={post} findNames={null} myId="" tasks={null} name={text} collapseLines={collapseLines} />;
}
