import { useWorkspace } from '../../data/live/workspace.ts';
import { excerpt } from '../../lib/posts/excerpt.ts';
import { AuthorAvatar } from '../../ui/avatars/avatar.tsx';
import { When } from '../../ui/items/when.tsx';

interface NoteCardProps {
  id: string;
  href: string;
  /** Whether its panel is open. */
  isCurrent: boolean;
  /** Whether the Tab key reaches it: one card is the tab stop of the list. */
  isTabStop: boolean;
  /** Whether another member wrote it since the user last looked. */
  isNew: boolean;
}

/** A note in the list: its title, three lines, and who wrote it. */
export function NoteCard({ id, href, isCurrent, isTabStop, isNew }: NoteCardProps) {
  const item = useWorkspace().items.get(id).value;
  if (item?.kind !== 'note') return null;
  const { content, author, key, createdAt, editedAt, editedBy } = item;
  const { head, rest } = headAndRest(item.title, content);
  return (
    <li>
      <a
        class={isCurrent ? 'note is-current' : 'note'}
        href={href}
        data-note={id}
        tabIndex={isTabStop ? 0 : -1}
        aria-current={isCurrent ? 'true' : undefined}
      >
        <h2>
          <bdi>{head}</bdi>
        </h2>
        <p>
          <bdi>{rest}</bdi>
        </p>
        <span class="author">
          <AuthorAvatar item={item} size="s" />
          <span>
            <bdi>{key === null ? author.name : `${author.name} via ${key.name}`}</bdi>
            {' · '}
            {editedAt === null ? (
              <When at={createdAt} />
            ) : (
              <>
                edited{' '}
                {editedBy && (
                  <>
                    by <bdi>{editedBy.name}</bdi>{' '}
                  </>
                )}
                <When at={editedAt} />
              </>
            )}
          </span>
          {isNew && <span class="count">New</span>}
        </span>
      </a>
    </li>
  );
}

/** Uses the first line as the title of an untitled note. */
function headAndRest(title: string | null, content: string): { head: string; rest: string } {
  if (title !== null) return { head: title, rest: excerpt(content) };
  const [first = '', ...others] = content.trim().split('\n', 8);
  return { head: excerpt(first), rest: excerpt(others.join('\n')) };
}
