import CircleCheck from 'icon:circle-check';
import Pencil from 'icon:pencil';
import SquareCheckBig from 'icon:square-check-big';
import type { Todo } from '@hub/contract';
import { When } from '../../ui/items/when.tsx';

/** The history of a to-do: who created, edited and completed it, and when. */
export function TodoTrail({ todo }: { todo: Todo }) {
  const { createdAt, editedAt, editedBy, finishedAt, finishedBy, author, key, sourceId, status } = todo;
  const creator = key === null ? author.name : `${author.name} via ${key.name}`;
  return (
    <ul class="history">
      <li>
        <SquareCheckBig />
        <span>
          <bdi>{creator}</bdi> created this{sourceId !== null && ' from a message'}, <When at={createdAt} />
        </span>
      </li>
      {editedAt !== null && (
        <li>
          <Pencil />
          <span>
            {editedBy === null ? 'Edited' : <bdi>{editedBy.name} edited it</bdi>}, <When at={editedAt} />
          </span>
        </li>
      )}
      {status === 'done' && finishedAt !== null && (
        <li>
          <CircleCheck />
          <span>
            {finishedBy === null ? 'Done' : <bdi>{finishedBy.name} completed it</bdi>}, <When at={finishedAt} />
          </span>
        </li>
      )}
    </ul>
  );
}
