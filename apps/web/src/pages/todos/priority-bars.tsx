import type { MenuItem } from '../../ui/menu.tsx';
import { PRIORITIES, type Priority, priorityLabel } from './todo-query.ts';

const BARS: Record<Exclude<Priority, 'URGENT'>, number> = { HIGH: 3, MEDIUM: 2, LOW: 1 };

/** The priority of a to-do as bars, or a square if urgent. `isNamed`: a label is shown beside it. */
export function PriorityBars({ priority, isNamed = false }: { priority: Priority | null; isNamed?: boolean }) {
  const name = priority === 'URGENT' ? 'Urgent' : `${priority === null ? 'No' : priorityLabel(priority)} priority`;
  return (
    <span
      class={priority === 'URGENT' ? 'prio is-urgent' : 'prio'}
      {...(isNamed ? ({ 'aria-hidden': 'true' } as const) : ({ role: 'img', 'aria-label': name } as const))}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <Shapes priority={priority} />
      </svg>
    </span>
  );
}

/** The items of a menu of priorities. `chosen`: `undefined` if none is marked. */
export function priorityItems(run: (priority: Priority | null) => void, chosen?: Priority | null): MenuItem[] {
  return [...PRIORITIES, null].map((priority) => ({
    label: priorityLabel(priority),
    icon: <PriorityBars priority={priority} isNamed={true} />,
    ...(chosen !== undefined && { isChosen: priority === chosen }),
    run: () => run(priority),
  }));
}

function Shapes({ priority }: { priority: Priority | null }) {
  if (priority === 'URGENT') {
    return (
      <>
        <rect x="1.5" y="1.5" width="13" height="13" rx="3.5" />
        <path class="bang" d="M8 4.7v3.8M8 11.2v.1" />
      </>
    );
  }
  if (priority === null) {
    return (
      <>
        {[2, 6.5, 11].map((x) => (
          <rect key={x} class="off" x={x} y="7" width="3" height="2" rx="1" />
        ))}
      </>
    );
  }
  const on = BARS[priority];
  return (
    <>
      <rect x="2" y="9.5" width="3" height="4.5" rx="1" />
      <rect class={on < 2 ? 'off' : ''} x="6.5" y="6" width="3" height="8" rx="1" />
      <rect class={on < 3 ? 'off' : ''} x="11" y="2.5" width="3" height="11.5" rx="1" />
    </>
  );
}
