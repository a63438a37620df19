import { AuthorFace } from '../faces/face.tsx';
import { PostBody } from '../posts/post-body.tsx';
import { useWorkspace } from '../workspace/workspace.ts';

export function MessageRow({ id }: { id: string }) {
  const item = useWorkspace().items.get(id)?.value;
  if (item?.kind !== 'message') return null;
  return (
    <article class="msg" id={id} aria-labelledby={`${id}-by`}>
      <AuthorFace item={item} />
      <div class="msg-body">
        <p class="msg-head" id={`${id}-by`}>
          <span class="msg-name">{item.author.name}</span>
          {item.key && <span class="via">via {item.key.name}</span>}
          <time class="at" dateTime={item.createdAt}>
            {new Date(item.createdAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}
          </time>
        </p>
        <PostBody item={item} foldLines={30} />
      </div>
    </article>
  );
}
